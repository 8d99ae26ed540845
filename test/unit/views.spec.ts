import { describe, expect, test } from '@jest/globals';
import { fold, touched } from '#libs/documents/fold.js';
import { eventType } from '#libs/events/registry.js';
import type { Event } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection, Stored } from '#libs/kernel/projection.js';
import { Hires } from '#libs/views/hires.js';
import { Items } from '#libs/views/items.js';
import { Muses } from '#libs/views/muses.js';
import { on, projection } from '#libs/views/on.js';
import { PaymentsView } from '#libs/views/payments.js';
import { PROJECTIONS } from '#libs/views/projections.js';
import { isOpenRole, roleRecord, Roles } from '#libs/views/roles.js';
import { Stats, STATS_ID } from '#libs/views/stats.js';
import { storyEvents } from '../vectors/event-samples.js';
import { HIRE, POSTER, ROLE, STORY, WORKER } from '../vectors/event-story.js';
import * as money from '../vectors/payment-story.js';

/** How many documents one event may change. */
const KEYS_MAX = 4;
const story = storyEvents();

type Documents = ReadonlyMap<string, Stored>;
const NONE: Documents = new Map();

/** The documents after a batch, as a projector commits them. */
function after(projection: Projection, events: readonly Event[], before: Documents = NONE): Documents {
  const own = events.filter(({ type }) => projection.types.includes(type));
  const documents = new Map(before);
  const known = new Map([...before].filter(([id]) => touched(projection, own).includes(id)));
  for (const { id, position, body } of fold(projection, own, known)) {
    if (body === null) documents.delete(id);
    else documents.set(id, { id, position, body });
  }
  return documents;
}

const oneByOne = (projection: Projection, events: readonly Event[], before: Documents = NONE) =>
  events.reduce((documents, event) => after(projection, [event], documents), before);

const asObject = (documents: Documents) => Object.fromEntries([...documents].sort(([a], [b]) => (a < b ? -1 : 1)));

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

/** The story with everything private, personal and held gone. */
const erased = story.map(event => {
  const { seals } = eventType(event.type);
  const names = [...seals.private, ...seals.personal, ...seals.held];
  const gone = names.filter(name => (event.data as JsonObject)[name] !== undefined).map(name => [name, null]);
  return { ...event, data: { ...(event.data as JsonObject), ...Object.fromEntries(gone) } };
});

const document = <D extends JsonObject>(projection: Projection<D>, id: string, events: readonly Event[] = story) =>
  after(projection as unknown as Projection, events).get(id)?.body as D | undefined;

test('every projection has a name of its own and handles types that exist', () => {
  expect(new Set(PROJECTIONS.map(({ name }) => name)).size).toBe(PROJECTIONS.length);
  for (const { types } of PROJECTIONS) types.forEach(type => expect(eventType(type).type).toBe(type));
});

describe.each(PROJECTIONS)('the projection $name', projection => {
  test('is told of by the story', () => {
    expect(after(projection, story).size).toBeGreaterThan(0);
  });

  test('takes an event again without a change', () => {
    const once = after(projection, story);
    expect(asObject(after(projection, story, once))).toEqual(asObject(once));
    expect(asObject(oneByOne(projection, story, once))).toEqual(asObject(once));
  });

  test('folds a batch as it folds one by one, wherever the batch is cut', () => {
    const whole = asObject(after(projection, story));
    expect(asObject(oneByOne(projection, story))).toEqual(whole);
    for (const cut of [1, 7, 13, 20, 31]) {
      const first = after(projection, story.slice(0, cut));
      expect(asObject(after(projection, story.slice(cut), first))).toEqual(whole);
      const overlapping = after(projection, story.slice(Math.max(0, cut - 5)), first);
      expect(asObject(overlapping)).toEqual(whole);
    }
  });

  test('changes few documents an event, known from the event alone', () => {
    for (const event of story.filter(({ type }) => projection.types.includes(type))) {
      const keys = projection.keys(frozen(structuredClone(event)));
      expect(keys.length).toBeLessThanOrEqual(KEYS_MAX);
      expect(new Set(keys).size).toBe(keys.length);
      keys.forEach(key => expect(key).toMatch(/^[^\s]+$/));
      expect(projection.keys(event)).toEqual(keys);
    }
  });

  test('changes neither the event nor the document that it is given, and always says the same', () => {
    const run = () => asObject(oneByOne(projection, frozen(structuredClone(story)), NONE));
    const documents = new Map<string, Stored>();
    for (const event of frozen(structuredClone(story))) {
      for (const [id, stored] of after(projection, [event], documents)) documents.set(id, frozen(stored));
    }
    expect(asObject(documents)).toEqual(run());
    expect(run()).toEqual(run());
  });

  test('holds JSON and nothing else, with a position on every document', () => {
    const documents = asObject(after(projection, story));
    expect(JSON.parse(JSON.stringify(documents))).toStrictEqual(documents);
    Object.values(documents).forEach(({ position }) => expect(story.map(event => event.position)).toContain(position));
  });

  test('has in every document every field that an index names', () => {
    const fields = Object.values(projection.indexes).flat();
    for (const { body } of after(projection, story).values()) {
      for (const field of fields) expect(body).toHaveProperty([field]);
    }
  });

  test('takes every event with its sealed values erased', () => {
    expect(asObject(after(projection, erased))).toEqual(asObject(oneByOne(projection, erased)));
    const secrets = story.flatMap(({ type, data }) => {
      const { seals } = eventType(type);
      const texts = [...seals.private, ...seals.personal].map(name => (data as JsonObject)[name]);
      return texts.filter((text): text is string => typeof text === 'string' && text.length > 3);
    });
    const text = JSON.stringify(asObject(after(projection, erased)));
    expect(secrets.filter(secret => text.includes(secret))).toEqual([]);
  });

  test('shows nothing that is private or held', () => {
    const text = JSON.stringify(asObject(after(projection, story)));
    for (const { type, data } of story) {
      const { seals } = eventType(type);
      for (const name of [...seals.private, ...seals.held]) {
        const value = (data as JsonObject)[name];
        if (typeof value === 'string') expect([name, text.includes(value)]).toEqual([name, false]);
      }
    }
  });

  test('leaves a document as it is for an event that it does not know', () => {
    const unknown = { ...story[0]!, type: 'Unheard' };
    expect(projection.keys(unknown)).toEqual([]);
    expect(projection.evolve({ a: 1 }, unknown, 'x')).toEqual({ a: 1 });
    expect(projection.evolve(undefined, unknown, 'x')).toBeNull();
  });
});

describe('what the documents say when the story is told', () => {
  test('the worker has joined, was hired, has delivered and was paid', () => {
    const paid = { USDC: { count: 1, amount: '10000000' } };
    const flags = { joined: true, hires: 1, has_payout_address: true, open_to_work: false };
    expect(document(Muses, WORKER)).toMatchObject({
      ...flags,
      headline: 'Translates French',
      referred_by: POSTER,
      earned: paid,
    });
    expect(document(Muses, POSTER)).toMatchObject({ joined: true, hires: 0, has_payout_address: false, earned: {} });
  });

  test('the hire is delivered, read and paid', () => {
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    const deliveries = [{ version: 1, url: 'https://files.example/page', note: 'Bonjour.', digest }];
    expect(document(Hires, String(HIRE))).toMatchObject({
      role: ROLE,
      worker: WORKER,
      deliveries,
      paid: { block: 42 },
    });
  });

  test('the role is filled and closed', () => {
    const role = document(Roles, ROLE)!;
    expect(role).toMatchObject({
      applicants: 1,
      hired: [WORKER],
      closed: true,
      closed_reason: 'filled',
      fee_paid: true,
    });
    expect(roleRecord(role, 0)).toMatchObject({ status: 'closed', seats_left: 0, slug: ROLE });
    expect(roleRecord(role, 0)).not.toHaveProperty('opened');
  });

  test('a role that has expired is shown as closed from that millisecond on', () => {
    const open = document(
      Roles,
      ROLE,
      story.filter(({ type }) => type === 'JobPosted'),
    )!;
    const { expires_at } = open;
    expect([isOpenRole(open, expires_at! - 1), isOpenRole(open, expires_at!)]).toEqual([true, false]);
    expect(roleRecord(open, expires_at!)).toMatchObject({
      status: 'closed',
      closed_reason: 'expired',
      closed_at: expires_at,
    });
    expect(roleRecord(open, expires_at! - 1)).toMatchObject({ status: 'open', closed_reason: null, closed_at: null });
  });

  test('payments that are settled, and those that charged nobody, are not open', () => {
    const open = Object.fromEntries(
      [...after(PaymentsView as never, story)].map(([id, { body }]) => [id, body['open']]),
    );
    expect(open).toEqual({
      [money.FEE]: false,
      [money.EXPIRING]: false,
      [money.WAGE]: false,
      [money.VERIFICATION]: false,
    });
  });

  test('the counters count what happened', () => {
    const count = (type: string) => STORY.filter(({ fact }) => fact.type === type).length;
    expect(document(Stats, STATS_ID)).toMatchObject({
      ...{
        muses: count('Registered'),
        joined: count('Joined'),
        posted: 1,
        closed: 1,
        hires: 1,
        deliveries: 1,
        receipts: 1,
      },
      paid: { USDC: '10000000' },
    });
  });

  test('the feed has an item for all that opens one, in the order of the log', () => {
    const items = [...after(Items as never, story).values()].map(
      ({ body }) => body as { kind: string; opened: string },
    );
    const kinds = items.sort((a, b) => (a.opened < b.opened ? -1 : 1)).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['joined', 'joined', 'job', 'applied', 'hired', 'receipt']));
    expect(kinds.indexOf('job')).toBeLessThan(kinds.indexOf('applied'));
  });

  test('an item’s document belongs to the first event that opened it', () => {
    const [first] = story.filter(({ type }) => type === 'Joined');
    const second = {
      ...first!,
      position: '9'.repeat(20),
      data: { ...(first!.data as object), muse_id: 'agent_second0000' },
    };
    expect(document(Items, '1000000000001', [...story, second])).toMatchObject({
      muse_id: POSTER,
      opened: first!.position,
    });
  });
});

test('a projection that handles one type of event twice is a bug', () => {
  const step = on(
    eventType('Joined'),
    () => ['a'],
    () => ({}),
  );
  expect(() => projection({ name: 'twice', version: 1, steps: [step, step] })).toThrow('twice');
});
