import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Compile } from 'typebox/compile';
import type { StreamType } from '#libs/domain/define.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { STREAMS } from '#libs/features/streams.generated.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';
import { exampleFact } from '../vectors/example-facts.js';
import { type Sample, sampleCodec, sampleName, storyEvents } from '../vectors/event-samples.js';
import { requireEventType, findWrittenVersion } from '#libs/kernel/event-type.js';

const FOLDER = new URL('../vectors/events/', import.meta.url);
const names = readdirSync(FOLDER).sort();
const sample = (name: string) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Sample;

test.each([...EVENT_TYPES.values()])('the example of $type matches its schema', type => {
  expect([...Compile(type.schema).Errors(exampleFact(type).data)]).toEqual([]);
});

describe.each(names)('%s', name => {
  test('keeps its recorded hash', () => {
    const { event, digest } = sample(name);
    expect(eventDigest(event)).toBe(digest);
    expect(sampleName(event.type, event.version)).toBe(name);
  });

  test('opens as written and matches its schema', async () => {
    const { event, opened } = sample(name);
    const { data } = await sampleCodec().openAsWritten(event);
    expect(data).toEqual(opened);
    expect([...Compile(findWrittenVersion(event, EVENT_TYPES)!.schema).Errors(data)]).toEqual([]);
  });

  test('is read in the newest version of its type', async () => {
    const { version, data } = await sampleCodec().open(sample(name).event);
    const newest = requireEventType(name.split('.')[0]!, EVENT_TYPES);
    expect(version).toBe(newest.version);
    expect([...Compile(newest.schema).Errors(data)]).toEqual([]);
  });
});

test('the schema of an event rejects unknown and missing members', () => {
  for (const { type, schema } of EVENT_TYPES.values()) {
    const data = storyEvents().find(event => event.type === type)?.data as JsonObject;
    expect([type, Compile(schema).Check(data)]).toEqual([type, true]);
    expect([type, Compile(schema).Check({ ...data, unheard_of: 1 })]).toEqual([type, false]);
    expect([type, Compile(schema).Check({})]).toEqual([type, false]);
  }
});

test('each sealed field is a field of its event and sealed once', () => {
  for (const { schema, seals } of EVENT_TYPES.values()) {
    const sealed = [...seals.private, ...seals.personal, ...seals.held];
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(sealed));
    expect(new Set(sealed).size).toBe(sealed.length);
  }
});

test('an undeclared event type throws', () => {
  expect(() => requireEventType('Unheard', EVENT_TYPES)).toThrow('not known to this version');
});

test.each(STREAMS as readonly StreamType[])('the fold of $category ignores events of other streams', stream => {
  const own = new Set(stream.events.map(({ type }) => type));
  const others = storyEvents().filter(({ type }) => !own.has(type));
  for (const event of others) expect(stream.evolve(stream.initial, event)).toBe(stream.initial);
});
