import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type TSchema, Type } from 'typebox';
import type { JsonObject } from '#libs/kernel/json.js';
import { Joined } from '#libs/domain/muse.js';
import * as d from '#libs/views/document-schema.js';
import { defineProjection, extendProjection, on, withPinnedShapes } from '#libs/views/projection.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { asEvents } from '../given.js';
import { checkedProjection } from '../checked-projection.js';

const NAMES = d.object({ names: d.list(d.text) });
interface Changes {
  readonly document?: TSchema;
  readonly version?: number;
  readonly shape?: string;
  readonly indexes?: { readonly [name: string]: string[] };
}
const declare = ({ document = NAMES, ...more }: Changes = {}) =>
  withPinnedShapes([
    defineProjection('seen_names', document, { version: 2, shape: 'dbf1c513', steps: [], ...more }),
  ])[0]!;
const COUNTED = d.object({ names: d.list(d.text), count: d.integer });
const pinned = (message: string) => [...message.matchAll(/pin shape "([0-9a-f]{8})"/g)].map(([, shape]) => shape!);
const refusal = (changes: Changes) => {
  try {
    declare(changes);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It was taken.');
};

describe('the pinned shape of a projection version', () => {
  test('is accepted if it matches the declaration', () => {
    expect(declare().version).toBe(2);
  });

  test.each<[string, Changes]>([
    ['other fields', { document: COUNTED }],
    ['a nullable field', { document: d.object({ names: d.orNull(d.list(d.text)) }) }],
    ['an index', { indexes: { byNames: ['names'] } }],
    ['only another version', { version: 3 }],
    ['only another shape', { shape: '00000000' }],
  ])('is refused with the name of the file for %s', (_what, changes) => {
    expect(refusal(changes)).toMatch(
      /^The documents of "seen_names" do not have the shape pinned for version \d: raise the version to \d and pin shape "[0-9a-f]{8}", .* in views\/seen-names\.ts\.$/,
    );
  });

  test('is suggested for a raised version and for the current version', () => {
    const [raised, asItIs] = pinned(refusal({ document: COUNTED }));
    expect(declare({ document: COUNTED, version: 3, shape: raised! }).version).toBe(3);
    expect(declare({ document: COUNTED, shape: asItIs! }).version).toBe(2);
  });
});

test.each(PROJECTIONS.map(({ name }) => name))('%s is declared in the file of the same name', name => {
  const files = readdirSync('libs', { recursive: true, encoding: 'utf8' });
  const [file] = files.filter(path => path.endsWith(`views/${name.replaceAll('_', '-')}.ts`));
  expect(readFileSync(`libs/${file}`, 'utf8')).toMatch(new RegExp(`define\\w*Projection\\(\\s*'${name}',`));
});

test('rejects a document with an undeclared member at any depth', () => {
  const document = Type.Object({ inner: Type.Object({ a: d.text }) });
  const [event] = asEvents([Joined({ muse_id: 'agent_1a2b3c4d5e', item: 1, referred_by: null })], 'muse-x');
  const fold = (made: JsonObject) =>
    checkedProjection({ ...declare(), document, evolve: () => made }).evolve(undefined, event!, 'x');
  expect(fold({ inner: { a: 'b' } })).toEqual({ inner: { a: 'b' } });
  expect(() => fold({ inner: { a: 'b' }, c: 1 })).toThrow('The document x is not as declared');
  expect(() => fold({ inner: { a: 'b', c: 1 } })).toThrow('The document x is not as declared');
  expect(() => fold({ inner: {} })).toThrow('The document x is not as declared');
});

test('an extension adds its steps, and none for a type that the projection has', () => {
  const step = on<JsonObject, typeof Joined>(
    Joined,
    ({ data }) => [data.muse_id],
    () => ({ names: ['Ada'] }),
  );
  const extended = extendProjection(declare(), [step]);
  const [event] = asEvents([Joined({ muse_id: 'agent_1a2b3c4d5e', item: 1, referred_by: null })], 'muse-x');
  expect(extended.types).toEqual(['Joined']);
  expect(extended.keys(event!)).toEqual(['agent_1a2b3c4d5e']);
  expect(extended.evolve(undefined, event!, 'agent_1a2b3c4d5e')).toEqual({ names: ['Ada'] });
  expect(() => extendProjection(extended, [step])).toThrow('seen_names declares two steps for one event type.');
});
