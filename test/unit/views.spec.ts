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

/** Maximum of documents per event, reached by a deleted post with all its tags. */
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

/** The story with all private, personal and held values erased. */
const erased = story.map(event => {
  const { seals } = requireEventType(event.type, EVENT_TYPES);
  const names = [...seals.private, ...seals.personal, ...seals.held];
  const gone = names.filter(name => (event.data as JsonObject)[name] !== undefined).map(name => [name, null]);
  return { ...event, data: { ...(event.data as JsonObject), ...Object.fromEntries(gone) } };
});

test('projections have unique names and handle existing event types', () => {
  expect(new Set(PROJECTIONS.map(({ name }) => name)).size).toBe(PROJECTIONS.length);
  for (const { types } of PROJECTIONS)
    types.forEach(type => expect(requireEventType(type, EVENT_TYPES).type).toBe(type));
});

describe.each(PROJECTIONS.map(checkedProjection))('the projection $name', projection => {
  test('creates documents from the story', () => {
    expect(after(projection, story).size).toBeGreaterThan(0);
  });

  test('does not change when events are folded again', () => {
    const once = after(projection, story);
    expect(asObject(after(projection, story, once))).toEqual(asObject(once));
    expect(asObject(oneByOne(projection, story, once))).toEqual(asObject(once));
  });

  test('folds batches of any size to the same documents', () => {
    const whole = asObject(after(projection, story));
    expect(asObject(oneByOne(projection, story))).toEqual(whole);
    for (const cut of [1, 7, 13, 20, 31]) {
      const first = after(projection, story.slice(0, cut));
      expect(asObject(after(projection, story.slice(cut), first))).toEqual(whole);
      const overlapping = after(projection, story.slice(Math.max(0, cut - 5)), first);
      expect(asObject(overlapping)).toEqual(whole);
    }
  });

  test('changes a bounded number of documents per event, known from the event', () => {
    for (const event of story.filter(({ type }) => projection.types.includes(type))) {
      const keys = projection.keys(frozen(structuredClone(event)));
      expect(keys.length).toBeLessThanOrEqual(KEYS_MAX);
      expect(new Set(keys).size).toBe(keys.length);
      keys.forEach(key => expect(key).toMatch(/^[^\s]+$/));
      expect(projection.keys(event)).toEqual(keys);
    }
  });

  test('is deterministic and does not mutate events or documents', () => {
    const run = () => asObject(oneByOne(projection, frozen(structuredClone(story)), NONE));
    let documents: Documents = NONE;
    for (const event of frozen(structuredClone(story))) {
      documents = after(projection, [event], documents);
      documents.forEach(frozen);
    }
    expect(asObject(documents)).toEqual(run());
    expect(run()).toEqual(run());
  });

  test('contains only JSON and has a position on every document', () => {
    const documents = asObject(after(projection, story));
    expect(JSON.parse(JSON.stringify(documents))).toStrictEqual(documents);
    Object.values(documents).forEach(({ position }) => expect(story.map(event => event.position)).toContain(position));
  });

  test('has every indexed field in every document', () => {
    const fields = Object.values(projection.indexes).flat().map(fieldName);
    for (const { body } of after(projection, story).values()) {
      for (const field of fields) expect(body).toHaveProperty([field]);
    }
  });

  test('folds events with erased values', () => {
    expect(asObject(after(projection, erased))).toEqual(asObject(oneByOne(projection, erased)));
    const secrets = story.flatMap(({ type, data }) => {
      const { seals } = requireEventType(type, EVENT_TYPES);
      const texts = [...seals.private, ...seals.personal].map(name => (data as JsonObject)[name]);
      return texts.filter((text): text is string => typeof text === 'string' && text.length > 3);
    });
    const text = JSON.stringify(asObject(after(projection, erased)));
    expect(secrets.filter(secret => text.includes(secret))).toEqual([]);
  });

  test('contains no trace of a forgotten muse', () => {
    const problems = authorsIn(story).flatMap(muse => forgettingProblems([projection], story, muse));
    expect(problems).toEqual([]);
  });

  test('declares the indexes that find the documents of a muse', () => {
    for (const index of projection.holders ?? []) expect(projection.indexes).toHaveProperty(index);
  });

  test('contains no private or held values', () => {
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

test.each(PROJECTIONS.filter(({ raw }) => !raw))('the projection $name ignores events of unknown types', projection => {
  const unknown = { ...story[0]!, type: 'Unheard' };
  expect(projection.keys(unknown)).toEqual([]);
  const [[id, { body }]] = [...after(projection, story)] as [[string, StoredDocument]];
  expect(projection.evolve(body, unknown, id)).toBe(body);
  expect(projection.evolve(undefined, unknown, 'x')).toBeNull();
});

test('a projection that handles an event type twice is rejected', () => {
  const step = on(
    requireEventType('Joined', EVENT_TYPES),
    () => ['a'],
    () => ({}),
  );
  expect(() => defineProjection('twice', d.object({}), { shape: '96d5e0dc', steps: [step, step] })).toThrow(
    'declares two steps for one event type',
  );
});
