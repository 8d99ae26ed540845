import { describe, expect, test } from '@jest/globals';
import { fieldName } from '#libs/documents/index-range.js';
import type { Event } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection, StoredDocument } from '#libs/kernel/projection.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { checkedProjection } from '../checked-projection.js';
import { authorsIn, forgettingProblems } from '../forgetting.js';
import { storyEvents } from '../vectors/event-samples.js';
import { after, type Documents, NONE } from './views.js';
import { requireEventType } from '#libs/kernel/event-type.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

/** How many documents one event may change: a post that is deleted has this many tags at most. */
const KEYS_MAX = 10;
const story = storyEvents();

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
  const { seals } = requireEventType(event.type, EVENT_TYPES);
  const names = [...seals.private, ...seals.personal, ...seals.held];
  const gone = names.filter(name => (event.data as JsonObject)[name] !== undefined).map(name => [name, null]);
  return { ...event, data: { ...(event.data as JsonObject), ...Object.fromEntries(gone) } };
});

test('every projection has a name of its own and handles types that exist', () => {
  expect(new Set(PROJECTIONS.map(({ name }) => name)).size).toBe(PROJECTIONS.length);
  for (const { types } of PROJECTIONS)
    types.forEach(type => expect(requireEventType(type, EVENT_TYPES).type).toBe(type));
});

describe.each(PROJECTIONS.map(checkedProjection))('the projection $name', projection => {
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
    let documents: Documents = NONE;
    for (const event of frozen(structuredClone(story))) {
      documents = after(projection, [event], documents);
      documents.forEach(frozen);
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
    const fields = Object.values(projection.indexes).flat().map(fieldName);
    for (const { body } of after(projection, story).values()) {
      for (const field of fields) expect(body).toHaveProperty([field]);
    }
  });

  test('takes every event with its sealed values erased', () => {
    expect(asObject(after(projection, erased))).toEqual(asObject(oneByOne(projection, erased)));
    const secrets = story.flatMap(({ type, data }) => {
      const { seals } = requireEventType(type, EVENT_TYPES);
      const texts = [...seals.private, ...seals.personal].map(name => (data as JsonObject)[name]);
      return texts.filter((text): text is string => typeof text === 'string' && text.length > 3);
    });
    const text = JSON.stringify(asObject(after(projection, erased)));
    expect(secrets.filter(secret => text.includes(secret))).toEqual([]);
  });

  test('says nothing any more of who is forgotten: as if that muse had never said anything', () => {
    const problems = authorsIn(story).flatMap(muse => forgettingProblems(projection, story, muse));
    expect(problems).toEqual([]);
  });

  test('finds what it holds of a muse by the indexes that it declares for that', () => {
    for (const index of projection.holders ?? []) expect(projection.indexes).toHaveProperty(index);
  });

  test('shows nothing that is private or held', () => {
    const text = JSON.stringify(asObject(after(projection, story)));
    for (const { type, data } of story) {
      const { seals } = requireEventType(type, EVENT_TYPES);
      for (const name of [...seals.private, ...seals.held]) {
        const value = (data as JsonObject)[name];
        if (typeof value === 'string') expect([name, text.includes(value)]).toEqual([name, false]);
      }
    }
  });
});

test.each(PROJECTIONS.filter(({ raw }) => !raw))(
  'the projection $name leaves a document as it is for an event that it does not know',
  projection => {
    const unknown = { ...story[0]!, type: 'Unheard' };
    expect(projection.keys(unknown)).toEqual([]);
    const [[id, { body }]] = [...after(projection, story)] as [[string, StoredDocument]];
    expect(projection.evolve(body, unknown, id)).toBe(body);
    expect(projection.evolve(undefined, unknown, 'x')).toBeNull();
  },
);

test('a projection that handles one type of event twice is a bug', () => {
  const step = on(
    requireEventType('Joined', EVENT_TYPES),
    () => ['a'],
    () => ({}),
  );
  const declared = { name: 'twice', version: 1, shape: '96d5e0dc', document: d.object({}) };
  expect(() => defineProjection<typeof declared.document>({ ...declared, steps: [step, step] })).toThrow(
    'handles a type of event twice',
  );
});
