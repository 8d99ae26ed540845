import { describe, expect, test } from '@jest/globals';
import { eventType } from '#libs/streams/streams.js';
import { Codec } from '#libs/event-log/codec.js';
import { HELD_KEY, MuseKeys } from '#libs/event-log/muse-keys.js';
import type { Event, StoredEvent } from '#libs/kernel/event.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { MemoryVault } from '../doubles/memory-vault.js';
import { storyEvents } from '../vectors/event-samples.js';
import { POSTER, WORKER } from '../vectors/event-story.js';

const story = storyEvents();

function bench() {
  const vault = new MemoryVault();
  const keys = new MuseKeys(vault);
  const codec = new Codec(keys);
  const seal = async (event: Event): Promise<StoredEvent> => {
    const { revision, position, ...envelope } = event;
    return { ...(await codec.seal(envelope)), revision, position };
  };
  return { vault, keys, codec, seal };
}

const sealsOf = ({ type }: { type: string }) => eventType(type).seals;
const isSealed = (value: Json | undefined) =>
  typeof value === 'object' && value !== null && JSON.stringify(Object.keys(value)) === '["sealed"]';

/** Every text that a value holds, however deep. */
function textsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe('what is stored', () => {
  test.each(story)('$type holds nothing sealed in clear', async event => {
    const { seal } = bench();
    const stored = await seal(event);
    const data = event.data as JsonObject;
    const { private: own, personal, held } = sealsOf(event);
    for (const name of [...own, ...personal, ...held]) {
      const kept = (stored.data as JsonObject)[name];
      if (data[name] === undefined || data[name] === null) expect(kept).toBe(data[name]);
      else expect([name, isSealed(kept)]).toEqual([name, true]);
    }
  });

  test.each(story)('$type holds its signed request sealed', async event => {
    const { seal } = bench();
    const text = JSON.stringify(await seal(event));
    if ('sealed' in event.authorization)
      for (const secret of textsIn(event.authorization.sealed)) expect(text).not.toContain(secret);
  });

  test('differs in nothing else from what was written', async () => {
    const { seal } = bench();
    for (const event of story) {
      const names = Object.values(sealsOf(event)).flat();
      const clear = (data: unknown) => Object.entries(data as object).filter(([name]) => !names.includes(name));
      const stored = await seal(event);
      expect(clear(stored.data)).toEqual(clear(event.data));
      const { data: _data, authorization: _authorization, ...envelope } = event;
      expect(stored).toMatchObject(envelope);
    }
  });

  test('opens as it was written', async () => {
    const { seal, codec } = bench();
    const stored = await Promise.all(story.map(seal));
    expect(await codec.openAll(stored)).toEqual(story);
  });

  test('is never the same twice, so that equal values do not show', async () => {
    const { seal } = bench();
    expect(await seal(story[3]!)).not.toEqual(await seal(story[3]!));
  });
});

describe('a sealed value', () => {
  const registered = story.find(({ type, actor }) => type === 'Registered' && actor === WORKER)!;

  async function sealed() {
    const made = bench();
    return { ...made, stored: await made.seal(registered) };
  }

  const withData = (stored: StoredEvent, changed: object) =>
    ({ ...stored, data: { ...(stored.data as object), ...changed } }) as StoredEvent;

  test('opens in no other event', async () => {
    const { codec, stored } = await sealed();
    await expect(codec.open({ ...stored, id: 'another-event' })).rejects.toThrow();
  });

  test('opens in no other field', async () => {
    const { codec, stored } = await sealed();
    const { name, headline } = stored.data as { name: Json; headline: Json };
    await expect(codec.open(withData(stored, { name: headline, headline: name }))).rejects.toThrow();
  });

  test('opens with no other muse’s key', async () => {
    const { codec, stored, keys } = await sealed();
    await keys.forSealing(POSTER);
    await expect(codec.open({ ...stored, actor: POSTER })).rejects.toThrow();
  });

  test('that was changed by one bit does not open', async () => {
    const { codec, stored } = await sealed();
    const bytes = Buffer.from((stored.data as { name: { sealed: string } }).name.sealed, 'base64url');
    for (const at of [0, 12, bytes.length - 1]) {
      const broken = Buffer.from(bytes);
      broken[at]! ^= 1;
      await expect(codec.open(withData(stored, { name: { sealed: broken.toString('base64url') } }))).rejects.toThrow();
    }
  });

  test('of the request does not open as one of the event', async () => {
    const { codec, stored } = await sealed();
    const authorization = stored.authorization as { sealed: Json };
    await expect(codec.open(withData(stored, { name: authorization.sealed }))).rejects.toThrow();
  });
});

describe('a destroyed key', () => {
  test('leaves null of everything that was private or personal, and of the signed request', async () => {
    const { seal, codec, keys } = bench();
    const stored = await Promise.all(story.map(seal));
    await keys.destroy(WORKER);
    for (const event of await codec.openAll(stored)) {
      const { private: own, personal } = sealsOf(event);
      const values = [...own, ...personal]
        .map(name => (event.data as JsonObject)[name])
        .filter(value => value !== undefined);
      if (event.actor === WORKER) expect(new Set([...values, null])).toEqual(new Set([null]));
      if (event.actor === WORKER && 'sealed' in event.authorization) {
        expect(event.authorization.sealed).toBeNull();
      }
    }
  });

  test('touches nothing of another muse, and nothing that is held', async () => {
    const { seal, codec, keys } = bench();
    const stored = await Promise.all(story.map(seal));
    await keys.destroy(WORKER);
    const opened = await codec.openAll(stored);
    expect(opened.filter(({ actor }) => actor !== WORKER)).toEqual(story.filter(({ actor }) => actor !== WORKER));
    const accepted = opened.find(({ type, actor }) => type === 'PaymentAccepted' && actor === WORKER)!;
    const told = story.find(({ id }) => id === accepted.id)!.data as JsonObject;
    const { pay_to, signature } = told;
    expect(accepted.data).toMatchObject({ pay_to, signature, fields: null, subject: null, things: null });
  });

  test('seals nothing more: what would need it is stored as null', async () => {
    const { seal, keys, vault } = bench();
    await keys.destroy(WORKER);
    const applied = story.find(({ type }) => type === 'Applied')!;
    const stored = await seal(applied);
    expect(stored.data).toMatchObject({ note: null, trial_answer: null, muse_id: WORKER });
    expect(stored.authorization).toMatchObject({ mode: 'signature', sealed: null });
    expect(await vault.get(`seal/${WORKER}`)).toBe('destroyed');
  });

  test('is not made again by reading', async () => {
    const stored = await bench().seal(story.find(({ type }) => type === 'Applied')!);
    const { codec, vault } = bench();
    expect((await codec.open(stored)).data).toMatchObject({ note: null });
    expect(await vault.list('seal/', 10)).toEqual([]);
  });

  test('what is held is sealed with a key of the service', async () => {
    const { seal, vault } = bench();
    await seal(story.find(({ type }) => type === 'PaymentSubmitted')!);
    expect(await vault.list('seal/', 10)).toEqual([`seal/${HELD_KEY}`]);
  });
});

describe('erased afterwards and never written are the same', () => {
  /** The story as it opens when the key is destroyed behind it, and as it opens when it was destroyed before it. */
  async function both(museId: string): Promise<[Event[], Event[]]> {
    const after = bench();
    const sealed = await Promise.all(story.map(after.seal));
    await after.keys.destroy(museId);
    const before = bench();
    await before.keys.destroy(museId);
    const erased = await Promise.all(story.map(before.seal));
    return [await after.codec.openAll(sealed), await before.codec.openAll(erased)];
  }

  test.each([POSTER, WORKER])('in every event of %s, and so in every state and document', async museId => {
    const [erased, never] = await both(museId);
    expect(erased).toEqual(never);
    expect(erased).not.toEqual(story);
  });
});
