import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Compile } from 'typebox/compile';
import { EVENT_TYPES } from '#libs/features/streams.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';
import { exampleFact } from '../vectors/example-facts.js';
import { type Sample, sampleCodec, sampleName, storyEvents } from '../vectors/event-samples.js';
import { requireEventType, findWrittenVersion } from '#libs/kernel/event-type.js';

const FOLDER = new URL('../vectors/events/', import.meta.url);
const MAKE = 'node --import ./test/doubles/typescript-loader.mjs test/vectors/make-event-samples.ts';
const names = readdirSync(FOLDER).sort();
const sample = (name: string) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Sample;
const all = [...EVENT_TYPES.values()].flatMap(({ type, versions }) =>
  versions.map((_shape, index) => sampleName(type, index + 1)),
);

test('every event type has a golden sample of each of its versions', () => {
  const missing = all.filter(name => !names.includes(name));
  expect(missing.map(name => `${MAKE} makes ${name}`)).toEqual([]);
});

test.each([...EVENT_TYPES.values()])('an example of $type follows from its schema', type => {
  expect([...Compile(type.schema).Errors(exampleFact(type).data)]).toEqual([]);
});

test('an event type is never taken out of the registry', () => {
  expect(names.filter(name => !EVENT_TYPES.has(name.split('.')[0]!))).toEqual([]);
});

describe.each(names)('%s', name => {
  test('hashes as on the day it was written', () => {
    const { event, digest } = sample(name);
    expect(eventDigest(event)).toBe(digest);
    expect(sampleName(event.type, event.version)).toBe(name);
  });

  test('opens as it was written, and fits its schema still', async () => {
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

test('what an event may not hold is refused by its schema', () => {
  for (const { type, schema } of EVENT_TYPES.values()) {
    const told = storyEvents().find(event => event.type === type)?.data as JsonObject;
    expect([type, Compile(schema).Check(told)]).toEqual([type, true]);
    expect([type, Compile(schema).Check({ ...told, unheard_of: 1 })]).toEqual([type, false]);
    expect([type, Compile(schema).Check({})]).toEqual([type, false]);
  }
});

test('what is sealed is a field of the event, and sealed once', () => {
  for (const { schema, seals } of EVENT_TYPES.values()) {
    const sealed = [...seals.private, ...seals.personal, ...seals.held];
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(sealed));
    expect(new Set(sealed).size).toBe(sealed.length);
  }
});

test('an event type that nobody declared is a bug', () => {
  expect(() => requireEventType('Unheard', EVENT_TYPES)).toThrow('not known to this version');
});
