import type { TSchema } from 'typebox';
import { Create } from 'typebox/value';
import type { DocumentOf } from './document-schema.js';

/** Returns a document in which nothing is counted yet. */
export const nothingCounted = <S extends TSchema>(schema: S) => Create(schema) as DocumentOf<S>;

type CounterOf<D> = { [N in keyof D]: D[N] extends number ? N : never }[keyof D];

/** Returns what makes the steps that count into documents: `count('hires')`. `none` is the document before the first. */
export const countFrom =
  <D extends object>(none: D) =>
  (counter: CounterOf<D>, by = 1) =>
  (document: D = none): D => ({ ...document, [counter]: Number(document[counter]) + by });
