import { expect, test } from '@jest/globals';
import { ReactionRunner } from '#libs/documents/reaction-runner.js';
import type { DocumentStore } from '#libs/documents/document-store.port.js';
import { UpgradeNeeded } from '#libs/event-log/unreadable-event.js';
import type { Event } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { ProfileUpdated } from '#libs/domain/muse.js';
import { overrideMethods } from '../../doubles/override-methods.js';
import { asEvents } from '../../given.js';
import { benches, type DocumentsBench, until } from './bench.js';

const bench = benches();
const MUSE = 'agent_poster0000';

/** Projection of one document that records a value of each event. */
function noting(name: string, take: (event: Event) => string, raw = false): Projection<{ seen: readonly string[] }> {
  return {
    name,
    version: 1,
    types: [ProfileUpdated.type],
    indexes: {},
    raw,
    keys: () => ['all'],
    evolve: (document, event) => ({ seen: [...(document?.seen ?? []), take(event)] }),
  };
}

const byId = noting('by_id', ({ id }) => id);
const byBio = noting('by_bio', ({ data }) => (data as { bio: string }).bio);
const all = [byId, byBio, noting('as_stored', ({ type }) => type, true)];
const seenBy = async (models: Awaited<ReturnType<DocumentsBench['project']>>, projection: (typeof all)[number]) =>
  (await models.of(projection).get('all'))?.body.seen;

/** Appends profiles with these bios; corrupts the `broken` ones. */
async function write(desk: DocumentsBench, bios: string[], broken: string[] = []): Promise<void> {
  for (const bio of bios) {
    const [event] = asEvents([ProfileUpdated({ muse_id: MUSE, bio })], `muse-${MUSE}`);
    const { revision: _, position: __, ...fresh } = { ...event!, id: bio, actor: MUSE };
    const stored = await desk.codec.seal(fresh);
    const data = broken.includes(bio) ? { muse_id: MUSE, bio: { sealed: 'AAAA' } } : stored.data;
    await desk.log.append(stored.stream, 'any', [{ ...stored, data }]);
  }
}

test('an unreadable value stops only the projection that reads it', async () => {
  const desk = bench();
  const models = await desk.project(all);
  await write(desk, ['one', 'two', 'three'], ['two', 'three']);
  await until(async () => (await seenBy(models, byId))?.length === 3);
  expect(await models.states(await desk.log.head())).toMatchObject([
    { name: 'by_id', state: 'running', lag: 0 },
    {
      name: 'by_bio',
      state: 'stopped',
      reason: expect.stringMatching(/^by_bio cannot take .* bio cannot be decrypted/),
    },
    { name: 'as_stored', state: 'running', lag: 0 },
  ]);
  expect(desk.errors).toEqual([
    expect.stringMatching(/^ProfileUpdated two at \d{20} cannot be read: bio cannot be decrypted\.$/),
    expect.stringContaining('by_bio cannot take'),
  ]);
});

test('a fill stops only the projection that reads an unreadable value', async () => {
  const desk = bench();
  await write(desk, ['one', 'two', 'three'], ['two']);
  const models = await desk.project(all);
  expect(await seenBy(models, byId)).toEqual(['one', 'two', 'three']);
  expect(await seenBy(models, byBio)).toBeUndefined();
  expect(await models.findStoppedBefore(await desk.log.head())).toBe('by_bio');
});

test('events of an unknown type are skipped, and positions advance', async () => {
  const desk = bench();
  const models = await desk.project(all);
  const [event] = asEvents([{ type: 'SongSung', version: 1, data: {} }], 'song-1');
  for (const id of ['a', 'b']) {
    const { revision: _, position: __, ...fresh } = { ...event!, id };
    await desk.log.append('song-1', 'any', [fresh as never]);
  }
  expect(await models.waitForHead()).toBe(true);
  const states = await models.states(await desk.log.head());
  expect(states.map(({ state, lag }) => [state, lag])).toEqual(all.map(() => ['running', 0]));
  expect(await seenBy(models, all[2]!)).toEqual(['SongSung', 'SongSung']);
  expect(desk.errors).toEqual([expect.stringContaining('SongSung needs a newer version')]);
});

test('a reaction does not receive an event unknown to this build', async () => {
  const desk = bench();
  const types: string[] = [];
  await desk.react('listener', async ({ type }) => void types.push(type));
  const [event] = asEvents([{ type: 'ClaimLost', version: 2, data: { claim: 'newer' } }], `muse-${MUSE}`);
  await desk.log.append(event!.stream, 'any', [event as never]);
  await desk.say('one');
  await until(() => types.length > 0);
  expect(types).toEqual(['ClaimLost']);
  expect(desk.errors).toEqual([]);
});

test('a reaction skips an undecidable event, and the next process retries it', async () => {
  const stores = bench();
  const done: string[] = [];
  const isBroken = { now: true };
  const react = async (event: Event) => {
    const { claim } = event.data as { claim: string };
    if (/^two|second/.test(claim) && isBroken.now) throw new UpgradeNeeded(event);
    done.push(claim);
  };
  await stores.say('one', 'two', 'three');
  const first = await stores.react('listener', react);
  await until(() => done.length === 2);
  expect(done).toEqual(['one', 'three']);
  await first.stop();
  await stores.react('listener', react);
  await stores.say('four');
  await until(() => done.length === 3);
  await stores.stop();
  expect(stores.errors).toEqual([expect.stringContaining('a reaction postpones unreadable events')]);
  isBroken.now = false;
  for (const last of ['five', 'six']) {
    await stores.react('listener', react);
    await stores.say(last);
    await until(() => done.includes(last));
    await stores.stop();
  }
  expect(done).toEqual(['one', 'three', 'four', 'two', 'five', 'six']);
});

test('a reaction skips an event with an unreadable value', async () => {
  const stores = bench();
  const done: string[] = [];
  const types = [ProfileUpdated.type];
  const { journal, store, clock } = stores;
  await write(stores, ['one', 'two', 'three'], ['two']);
  const errors: string[] = [];
  const log = { error: (_details: object, message: string) => void errors.push(message) };
  const react = async ({ data }: Event) => void done.push((data as { bio: string }).bio);
  const runner = new ReactionRunner({ name: 'listener', types, react }, { journal, store, clock, log });
  runner.start();
  await until(() => done.length === 2);
  await runner.stop();
  expect([done, errors]).toEqual([['one', 'three'], [expect.stringContaining('postpones unreadable events')]]);
});

test('a reaction starts once a store that fails is there', async () => {
  const stores = bench();
  await write(stores, ['one'], []);
  const { journal, clock } = stores;
  let failures = 2;
  const open = (real: DocumentStore, projection: Projection) => {
    if (failures-- > 0) throw new Unavailable('The document store');
    return real.open(projection);
  };
  const done: Event[] = [];
  const reaction = {
    name: 'listener',
    types: [ProfileUpdated.type],
    react: async (event: Event) => void done.push(event),
  };
  const store = overrideMethods<DocumentStore>(stores.store, { open });
  const runner = new ReactionRunner(reaction, { journal, store, clock, log: { error: () => undefined } });
  runner.start();
  await until(() => done.length === 1);
  await runner.stop();
});
