import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { TermIntersection, IntersectionPage, Scalar } from './document-store.port.js';

export type OrderKey = readonly Scalar[];

interface IntersectionReach {
  /** Index of the set of texts whose documents reach furthest. */
  readonly rarest: number;
  /** Order key up to which all sets were examined; null for the end. */
  readonly near: OrderKey | null;
  /** Order key up to which the rarest set was examined; null for the end. */
  readonly far: OrderKey | null;
}

/**
 * `lastKeys`: order key of the last document to examine per text of each set; null if there are fewer. A set is examined
 * completely up to the first of its keys.
 */
export function computeReach(
  lastKeys: readonly (readonly (OrderKey | null)[])[],
  order: TermIntersection['order'],
): IntersectionReach {
  const sign = order === 'asc' ? 1 : -1;
  const isAfter = (a: OrderKey | null, b: OrderKey | null) =>
    b !== null && (a === null || sign * compareOrderKeys(a, b) > 0);
  const nearest = (keys: readonly (OrderKey | null)[]) => keys.reduce((a, b) => (isAfter(a, b) ? b : a));
  const ends = lastKeys.map(nearest);
  const far = ends.reduce((a, b) => (isAfter(b, a) ? b : a));
  return { rarest: ends.indexOf(far), near: nearest(ends), far };
}

export function buildIntersectionPage<D extends JsonObject>(
  documents: StoredDocument<D>[],
  { limit }: TermIntersection,
  fields: readonly string[],
  far: OrderKey | null,
): IntersectionPage<D> {
  const last = documents.length < limit ? undefined : documents.at(-1);
  return { documents, end: last ? computeOrderKey(last, fields) : far };
}

export function computeOrderKey(
  { id, body }: Pick<StoredDocument, 'id' | 'body'>,
  fields: readonly string[],
): OrderKey {
  const values = fields.map(field => (body[field] ?? null) as Scalar);
  return [...values.map(value => (typeof value === 'boolean' ? Number(value) : value)), id];
}

/** As indexes order: null, numbers with booleans as 1 and 0, texts bytewise. */
function compareOrderKeys(a: OrderKey, b: OrderKey): number {
  for (const [at, value] of a.entries()) {
    const order = compareScalars(value, b[at]!);
    if (order !== 0) return order;
  }
  return 0;
}

function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return rankScalar(a) - rankScalar(b) || Number(a) - Number(b);
}

const rankScalar = (value: Scalar) => (value === null ? 0 : typeof value === 'string' ? 2 : 1);
