import type { Position } from '#libs/kernel/event.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { SqlParameter } from '#libs/platform/sqlite/sqlite.js';
import type { Scalar } from './document-store.port.js';

/** A document as a statement answers it. */
export type Row = [id: string, position: Position, body: string];
/** What stands before its body. */
export type Stamp = [id: string, position: Position];

export function toStoredDocument<D>([id, position, body]: Row): StoredDocument<D> {
  return { id, position, body: JSON.parse(body) as D };
}

/** As an index holds it: JSON's booleans are 1 and 0, null is minus infinity. The driver cannot bind a boolean. */
export function toParam(value: Scalar): SqlParameter {
  return value === null ? -Infinity : typeof value === 'boolean' ? Number(value) : value;
}

/** What an index holds, as a value that a question may name. */
export const toScalar = (value: string | number): Scalar => (value === -Infinity ? null : value);
