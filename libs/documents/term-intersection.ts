import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { TermIntersection, IntersectionPage, Scalar } from './document-store.port.js';

/** Where a document stands: the values that order it, then its id. */
export type OrderKey = readonly Scalar[];

export interface IntersectionReach {
  /** Which text's documents reach furthest, or run out. */
  readonly rarest: number;
  /** Up to there all texts were looked at; null: up to the end. */
  readonly near: OrderKey | null;
  /** Up to there the rarest was; null: up to the end. */
  readonly far: OrderKey | null;
}

/** How far a look goes, by where each text's last document stands that it may look at; null where there are fewer. */
export function computeReach(lasts: readonly (OrderKey | null)[], order: TermIntersection['order']): IntersectionReach {
  const sign = order === 'asc' ? 1 : -1;
  const isBehind = (a: OrderKey | null, b: OrderKey | null) =>
    b !== null && (a === null || sign * compareOrderKeys(a, b) > 0);
  const far = lasts.reduce((a, b) => (isBehind(b, a) ? b : a));
  const near = lasts.reduce((a, b) => (isBehind(a, b) ? b : a));
  return { rarest: lasts.indexOf(far), near, far };
}

/** `fields` are those that order the answer. */
export function buildIntersectionPage<D extends JsonObject>(
  documents: StoredDocument<D>[],
  { limit }: TermIntersection,
  fields: readonly string[],
  far: OrderKey | null,
): IntersectionPage<D> {
  const last = documents.length < limit ? undefined : documents.at(-1);
  return { documents, end: last ? computeOrderKey(last, fields) : far };
}

/** As an index holds it: booleans are 1 and 0. */
export function computeOrderKey(
  { id, body }: Pick<StoredDocument, 'id' | 'body'>,
  fields: readonly string[],
): OrderKey {
  const values = fields.map(field => (body[field] ?? null) as Scalar);
  return [...values.map(value => (typeof value === 'boolean' ? Number(value) : value)), id];
}

/** As indexes order: null, then numbers with booleans as 1 and 0, then texts by their bytes. */
function compareOrderKeys(a: OrderKey, b: OrderKey): number {
  for (const [at, value] of a.entries()) {
    const way = compareScalars(value, b[at]!);
    if (way !== 0) return way;
  }
  return 0;
}

function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return rankScalar(a) - rankScalar(b) || Number(a) - Number(b);
}

const rankScalar = (value: Scalar) => (value === null ? 0 : typeof value === 'string' ? 2 : 1);
