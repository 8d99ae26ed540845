import type { JsonObject } from '#libs/kernel/json.js';
import type { Stored } from '#libs/kernel/projection.js';
import type { Meeting, Met, Scalar } from './port.js';

/** Where a document stands: the values that order it, then its id. */
export type Place = readonly Scalar[];

export interface Reach {
  /** Which text's documents reach furthest, or run out. */
  readonly rarest: number;
  /** Up to there all texts were looked at; null: up to the end. */
  readonly near: Place | null;
  /** Up to there the rarest was; null: up to the end. */
  readonly far: Place | null;
}

/** How far a look goes, by where each text's last document stands that it may look at; null where there are fewer. */
export function reachOf(lasts: readonly (Place | null)[], order: Meeting['order']): Reach {
  const sign = order === 'asc' ? 1 : -1;
  const isBehind = (a: Place | null, b: Place | null) => b !== null && (a === null || sign * compared(a, b) > 0);
  const far = lasts.reduce((a, b) => (isBehind(b, a) ? b : a));
  const near = lasts.reduce((a, b) => (isBehind(a, b) ? b : a));
  return { rarest: lasts.indexOf(far), near, far };
}

/** `fields` are those that order the answer. */
export function met<D extends JsonObject>(
  documents: Stored<D>[],
  { limit }: Meeting,
  fields: readonly string[],
  far: Place | null,
): Met<D> {
  const last = documents.length < limit ? undefined : documents.at(-1);
  return { documents, end: last ? placeOf(last, fields) : far };
}

/** As an index holds it: booleans are 1 and 0. */
export function placeOf({ id, body }: Pick<Stored, 'id' | 'body'>, fields: readonly string[]): Place {
  const values = fields.map(field => (body[field] ?? null) as Scalar);
  return [...values.map(value => (typeof value === 'boolean' ? Number(value) : value)), id];
}

/** As indexes order: null, then numbers with booleans as 1 and 0, then texts by their bytes. */
function compared(a: Place, b: Place): number {
  for (const [at, value] of a.entries()) {
    const way = comparedValues(value, b[at]!);
    if (way !== 0) return way;
  }
  return 0;
}

function comparedValues(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return kindOf(a) - kindOf(b) || Number(a) - Number(b);
}

const kindOf = (value: Scalar) => (value === null ? 0 : typeof value === 'string' ? 2 : 1);
