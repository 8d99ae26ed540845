import { describe, expect, test } from '@jest/globals';
import { Codec } from '#libs/event-log/codec.js';
import { HELD_KEY, MuseKeys } from '#libs/event-log/muse-keys.js';
import type { Event, StoredEvent } from '#libs/kernel/event.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { MemoryVault } from '../doubles/memory-vault.js';
import { storyEvents } from '../vectors/event-samples.js';
import { POSTER, WORKER } from '../vectors/event-story.js';
import { requireEventType } from '#libs/kernel/event-type.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

const story = storyEvents();

function bench() {
  const vault = new MemoryVault();
  const keys = new MuseKeys(vault);
  const codec = new Codec(keys, EVENT_TYPES);
  const seal = async (event: Event): Promise<StoredEvent> => {
    const { revision, position, ...envelope } = event;
    return { ...(await codec.seal(envelope)), revision, position };
  };
  return { vault, keys, codec, seal };
}

const sealsOf = ({ type }: { type: string }) => requireEventType(type, EVENT_TYPES).seals;
const isSealed = (value: Json | undefined) =>
  typeof value === 'object' && value !== null && JSON.stringify(Object.keys(value)) === '["sealed"]';

/** Every text in a value, at any depth. */
function textsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe('a stored event', () => {
  test.each(story)('has no sealed field in clear: $type', async event => {
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

  test.each(story)('has its signed request sealed: $type', async event => {
    const { seal } = bench();
    const text = JSON.stringify(await seal(event));
    if ('sealed' in event.authorization)
      for (const secret of textsIn(event.authorization.sealed)) expect(text).not.toContain(secret);
  });

  test('keeps all other members unchanged', async () => {
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

  test('opens as written', async () => {
    const { seal, codec } = bench();
    const stored = await Promise.all(story.map(seal));
    expect(await codec.openAll(stored)).toEqual(story);
  });

  test('is sealed differently each time, so that equal values do not show', async () => {
    const { seal } = bench();
    expect(await seal(story[3]!)).not.toEqual(await seal(story[3]!));
  });
});

describe('a sealed value', () => {
  const registered = story.find(({ type, actor }) => type === 'Registered' && actor === WORKER)!;

  /** Values of one key are sealed as one text. */
  const together = ['about', 'email', 'headline', 'name', 'skills'];

  async function sealed() {
    const made = bench();
    return { ...made, stored: await made.seal(registered) };
  }

  const withData = (stored: StoredEvent, changed: object) =>
    ({ ...stored, data: { ...(stored.data as object), ...changed } }) as StoredEvent;

  test('does not open in another event', async () => {
    const { codec, stored } = await sealed();
    const unreadable = await codec.listUnreadable({ ...stored, id: 'another-event' });
    expect(unreadable).toEqual(expect.arrayContaining(['name', 'headline', 'authorization']));
  });

  test('does not open in another field', async () => {
    const { codec, stored } = await sealed();
    const { name, headline } = stored.data as { name: Json; headline: Json };
    expect(await codec.listUnreadable(withData(stored, { name: headline, headline: name }))).toEqual(together);
  });

  test('does not open with the key of another muse', async () => {
    const { codec, stored, keys } = await sealed();
    await keys.forSealing(POSTER);
    expect(await codec.listUnreadable({ ...stored, actor: POSTER })).toContain('name');
  });

  test('does not open if one bit was changed', async () => {
    const { codec, stored } = await sealed();
    for (const place of ['about 0', 'about 12', 'about 28', 'name 0']) {
      const [name, at] = place.split(' ') as [string, string];
      const broken = Buffer.from((stored.data as { [name: string]: { sealed: string } })[name]!.sealed, 'base64url');
      broken[Number(at)]! ^= 1;
      const changed = withData(stored, { [name]: { sealed: broken.toString('base64url') } });
      expect(await codec.listUnreadable(changed)).toEqual(together);
    }
  });

  test('taken from a request does not open as an event field', async () => {
    const { codec, stored } = await sealed();
    const { sealed: request } = stored.authorization as { sealed: Json };
    expect(await codec.listUnreadable(withData(stored, { name: request }))).toEqual(together);
  });

  test.each([{}, 'in clear', { sealed: '' }, { sealed: 'AAAA' }, 7])('does not open as %j', async value => {
    const { codec, stored } = await sealed();
    expect(await codec.listUnreadable(withData(stored, { name: value }))).toEqual(together);
  });

  test.each(['data', 'authorization'])('cannot be read if %s is not an object', async name => {
    const { codec, stored } = await sealed();
    const opened = await codec.open({ ...stored, [name]: null });
    expect(opened.unreadable).toEqual([name]);
    expect(() => opened.data).toThrow(`${name} cannot be decrypted`);
  });

  test('throws on read if it does not open, as do the other values of its key', async () => {
    const { codec, stored } = await sealed();
    const opened = await codec.open(withData(stored, { name: { sealed: 'AAAA' } }));
    expect(opened.unreadable).toEqual(together);
    const data = opened.data as JsonObject;
    expect(data['muse_id']).toBe((registered.data as JsonObject)['muse_id']);
    expect(() => data['headline']).toThrow(
      `Registered ${stored.id} at ${stored.position} cannot be read: ${together.join()} cannot be decrypted.`,
    );
  });

  test('a sealed value as part of a request throws only when the request is read', async () => {
    const { codec, stored } = await sealed();
    const authorization = { ...(stored.authorization as JsonObject), sealed: { sealed: 'AAAA' } };
    const opened = await codec.open({ ...stored, authorization });
    expect(opened.data).toEqual(registered.data);
    expect(() => opened.authorization).toThrow('authorization.sealed cannot be decrypted');
    expect(await codec.listUnreadable({ ...stored, authorization })).toEqual(['authorization']);
  });
});

describe('a log written by a newer build', () => {
  test('opens without the events unknown to this build', async () => {
    const { codec, seal } = bench();
    const [one, two, three] = (await Promise.all(story.slice(0, 3).map(seal))) as [
      StoredEvent,
      StoredEvent,
      StoredEvent,
    ];
    const newer = [
      { ...two, type: 'SongSung' },
      { ...three, version: three.version + 1 },
    ];
    expect(await codec.openKnown([one, ...newer])).toEqual([story[0]]);
    for (const event of newer) await expect(codec.open(event)).rejects.toMatchObject({ code: 'upgrade_needed' });
  });
});

describe('a destroyed key', () => {
  test('leaves null in private and personal fields and in the signed request', async () => {
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

  test('leaves other muses and held fields intact', async () => {
    const { seal, codec, keys } = bench();
    const stored = await Promise.all(story.map(seal));
    await keys.destroy(WORKER);
    const opened = await codec.openAll(stored);
    expect(opened.filter(({ actor }) => actor !== WORKER)).toEqual(story.filter(({ actor }) => actor !== WORKER));
    const accepted = opened.find(({ type, actor }) => type === 'PaymentAccepted' && actor === WORKER)!;
    const data = story.find(({ id }) => id === accepted.id)!.data as JsonObject;
    const { pay_to, signature } = data;
    expect(accepted.data).toMatchObject({ pay_to, signature, fields: null, subject: null, things: null });
  });

  test('seals nothing again: its fields are stored as null', async () => {
    const { seal, keys, vault } = bench();
    await keys.destroy(WORKER);
    const applied = story.find(({ type }) => type === 'Applied')!;
    const stored = await seal(applied);
    expect(stored.data).toMatchObject({ note: null, trial_answer: null, muse_id: WORKER });
    expect(stored.authorization).toMatchObject({ mode: 'signature', sealed: null });
    expect(await vault.get(`seal/${WORKER}`)).toBe('destroyed');
  });

  test('is not created again by reading', async () => {
    const stored = await bench().seal(story.find(({ type }) => type === 'Applied')!);
    const { codec, vault } = bench();
    expect((await codec.open(stored)).data).toMatchObject({ note: null });
    expect(await vault.list('seal/', 10)).toEqual([]);
  });

  test('is separate from the service key of held fields', async () => {
    const { seal, vault } = bench();
    await seal(story.find(({ type }) => type === 'PaymentSubmitted')!);
    expect(await vault.list('seal/', 10)).toEqual([`seal/${HELD_KEY}`]);
  });
});

describe('a key destroyed before or after an event', () => {
  /** The story opened with the key destroyed after it, and before it. */
  async function both(museId: string): Promise<[Event[], Event[]]> {
    const after = bench();
    const sealed = await Promise.all(story.map(after.seal));
    await after.keys.destroy(museId);
    const before = bench();
    await before.keys.destroy(museId);
    const erased = await Promise.all(story.map(before.seal));
    return [await after.codec.openAll(sealed), await before.codec.openAll(erased)];
  }

  test.each([POSTER, WORKER])('has the same effect on every event of %s', async museId => {
    const [erased, never] = await both(museId);
    expect(erased).toEqual(never);
    expect(erased).not.toEqual(story);
  });
});
