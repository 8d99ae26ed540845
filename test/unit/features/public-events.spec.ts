import { expect, test } from '@jest/globals';
import { Joined, Muse, ProfileUpdated } from '#libs/domain/muse.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { lookUpInLog, lookUpInReadModels, PublicEvents } from '#libs/features/public-events/views/public-events.js';
import { type Authorization, type Fact, type RequestFields, LOG_START, type StoredEvent } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { feedEventDigest } from '#libs/platform/signing/event-digest.js';
import { InMemoryStores } from '../in-memory-stores.js';
import { PaymentAccepted } from '#libs/domain/payment.js';
import { storyEvents } from '../../vectors/event-samples.js';
import * as world from './worlds.js';

const { WORKER } = world;
const ADDRESS = '0x2222222222222222222222222222222222222222';

async function shown(facts: Fact[], fields: RequestFields, stores = new InMemoryStores()) {
  const authorization: Authorization = {
    mode: 'bearer',
    token: '0123456789abcdef',
    endpoint: 'profile',
    sealed: { fields },
  };
  const plan = { writes: Muse.source(WORKER), decide: () => facts };
  await executeCommand(stores.journal, stores.request(WORKER, { authorization }), plan);
  return everyEvent(stores);
}

const everyEvent = (stores: InMemoryStores) =>
  new PublicEvents(stores.codec, lookUpInLog(stores.log, stores.codec), () => undefined).of(stores.log.events);

test('a personal value is shown with its sealed form', async () => {
  const [event] = await shown([ProfileUpdated({ muse_id: WORKER, bio: 'Hello' })], { bio: 'Hello' });
  const sealed = { sealed: expect.any(String) };
  expect(event).toMatchObject({ data: { bio: { ...sealed, value: 'Hello' } } });
  expect(event).toMatchObject({ authorization: { sealed: { ...sealed, value: { fields: { bio: 'Hello' } } } } });
});

test('a private value is not shown in any event of its request', async () => {
  const joined = Joined({ muse_id: WORKER, item: 1, referred_by: null });
  const updated = ProfileUpdated({ muse_id: WORKER, headline: 'Hi', payout_address: ADDRESS });
  const events = await shown([joined, updated], { headline: 'Hi', payout_address: ADDRESS });
  expect(events).toHaveLength(2);
  expect(JSON.stringify(events)).not.toContain(ADDRESS);
  expect(events[1]).toMatchObject({ data: { headline: { value: 'Hi' } } });
});

test.each(['payout_address', 'lightning_address'])(
  '%s is not shown in the payment that it was sent with',
  async name => {
    const stores = new InMemoryStores();
    const accepted = storyEvents().find(({ type }) => type === PaymentAccepted.type)!;
    const { revision: _revision, position: _position, ...event } = accepted;
    const pay = async (id: string, fields: RequestFields) => {
      const data = { ...(event.data as JsonObject), fields };
      const stream = `${event.stream}-${id}`;
      await stores.journal.append(stream, 'none', [{ ...event, stream, id, data }]);
    };
    await pay('open', { headline: 'Shown' });
    await pay('hidden', { headline: 'Shown', [name]: ADDRESS });
    const [open, hidden] = await everyEvent(stores);
    expect(open).toMatchObject({ data: { fields: { sealed: expect.any(String), value: { headline: 'Shown' } } } });
    expect((hidden!['data'] as JsonObject)['fields']).toEqual({ sealed: expect.any(String) });
    expect(JSON.stringify(hidden)).not.toContain(ADDRESS);
  },
);

test('a cleared value is hidden at once, even if the read models lag', async () => {
  const stores = new InMemoryStores();
  await shown([ProfileUpdated({ muse_id: WORKER, bio: 'Hello' })], { bio: 'Hello' }, stores);
  await shown([ProfileUpdated({ muse_id: WORKER, bio: null })], { bio: '' }, stores);
  const behind = { position: async () => LOG_START, of: () => ({ getMany: async () => [] }) } as unknown as ReadModels;
  const feed = new PublicEvents(stores.codec, lookUpInReadModels(behind, stores.log, stores.codec), () => undefined);
  expect(JSON.stringify(await feed.of(stores.log.events))).not.toContain('Hello');
});

test('an erased value is shown sealed, and the digest is unchanged', async () => {
  const stores = new InMemoryStores();
  const [before] = await shown([ProfileUpdated({ muse_id: WORKER, bio: 'Hello' })], { bio: 'Hello' }, stores);
  await stores.keys.destroy(WORKER);
  const after = (await everyEvent(stores))[0]!;
  expect(JSON.stringify(after)).not.toContain('Hello');
  expect(after['digest']).toBe(before!['digest']);
  expect(feedEventDigest(after as never)).toBe(after['digest']);
  expect(feedEventDigest(before as never)).toBe(before!['digest']);
});

test('a cleared profile value is hidden in earlier events, but not in later events', async () => {
  const stores = new InMemoryStores();
  const service = { title: 'Cleared', done: 'a thing', price_usd: '1', turnaround_hours: 1, skills: [] };
  const [filled, emptied] = [
    { bio: 'Cleared', services: [service] },
    { bio: null, services: [] },
  ];
  const update = (changes: object, fields: RequestFields) =>
    shown([ProfileUpdated({ muse_id: WORKER, ...changes })], fields, stores);
  await update({ ...filled, headline: 'Kept' }, { bio: 'Cleared', services: '[..]', headline: 'Kept' });
  await update(emptied, { bio: '', services: '[]' });
  const [first, cleared, again] = await update({ bio: 'Said anew' }, { bio: 'Said anew' });
  expect(JSON.stringify([first, cleared, again])).not.toContain('Cleared');
  expect(first).toMatchObject({ data: { headline: { value: 'Kept' }, bio: { sealed: expect.any(String) } } });
  expect(first).not.toHaveProperty('authorization.sealed.value');
  expect(cleared).toHaveProperty('authorization.sealed.value.fields', { bio: '', services: '[]' });
  expect(again).toMatchObject({ data: { bio: { value: 'Said anew' } } });
});

test('a further field of a request stays public when a profile field is cleared', async () => {
  const stores = new InMemoryStores();
  await shown([ProfileUpdated({ muse_id: WORKER, headline: 'Hi' })], { headline: 'Hi', bio: 'Further' }, stores);
  await shown([ProfileUpdated({ muse_id: WORKER, bio: null })], { bio: '' }, stores);
  const showWith = async (declared: string[]) => {
    const feed = new PublicEvents(stores.codec, lookUpInLog(stores.log, stores.codec), () => new Set(declared));
    return JSON.stringify(await feed.of(stores.log.events));
  };
  expect(await showWith(['headline'])).toContain('Further');
  expect(await showWith(['headline', 'bio'])).not.toContain('Further');
});

test('clearing a value does not hide values of another muse', async () => {
  const stores = new InMemoryStores();
  const bio = (muse: string, text: string | null) =>
    executeCommand(stores.journal, stores.request(muse), {
      writes: Muse.source(muse),
      decide: () => [ProfileUpdated({ muse_id: muse, bio: text })],
    });
  await bio(world.POSTER, 'Of the poster');
  await bio(WORKER, 'Of the worker');
  await bio(WORKER, null);
  const all = JSON.stringify(await everyEvent(stores));
  expect([all.includes('Of the poster'), all.includes('Of the worker')]).toEqual([true, false]);
});

test('held values are never shown', async () => {
  const held = world.told('PaymentAccepted').data as JsonObject;
  const [event] = await shown([world.told('PaymentAccepted')], {});
  for (const name of ['pay_to', 'signature']) {
    expect(event).toMatchObject({ data: { [name]: { sealed: expect.any(String) } } });
    expect(JSON.stringify(event)).not.toContain(held[name]);
  }
});

test('values of a key are shown sealed if one of them does not open', async () => {
  const desk = new InMemoryStores();
  const profile = { headline: 'Kept', bio: 'Hello' };
  await shown([ProfileUpdated({ muse_id: WORKER, ...profile })], profile, desk);
  const [stored] = desk.log.events as [StoredEvent];
  const broken = { sealed: 'AAAA' };
  desk.log.events[0] = {
    ...stored,
    data: { ...(stored.data as JsonObject), bio: broken },
    authorization: { ...(stored.authorization as JsonObject), sealed: broken },
  };
  const [event] = await everyEvent(desk);
  expect(event).toMatchObject({ data: { bio: broken, muse_id: WORKER } });
  expect(JSON.stringify(event)).not.toContain('Kept');
  expect(event).toMatchObject({ authorization: { sealed: broken } });
  expect(JSON.stringify(event)).not.toContain('Hello');
  expect(feedEventDigest(event as never)).toBe(event!['digest']);
});

test('an event of an unknown type is shown as stored', async () => {
  const desk = new InMemoryStores();
  await shown([ProfileUpdated({ muse_id: WORKER, bio: 'Hello' })], {}, desk);
  const stored = { ...desk.log.events[0]!, type: 'SongSung' };
  desk.log.events[0] = stored;
  const [event] = await everyEvent(desk);
  expect(event).toEqual({ ...stored, digest: feedEventDigest(event as never) });
});
