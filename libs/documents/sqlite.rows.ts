import type { Position } from '#libs/kernel/event.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { SqlParameter } from '#libs/platform/sqlite/sqlite.js';
import type { Scalar } from './document-store.port.js';

export type Row = [id: string, position: Position, body: string];
export type Stamp = [id: string, position: Position];

export function toStoredDocument<D>([id, position, body]: Row): StoredDocument<D> {
  return { id, position, body: JSON.parse(body) as D };
}

/** As indexes hold values: null is minus infinity. The driver cannot bind booleans. */
export function toParam(value: Scalar): SqlParameter {
  return value === null ? -Infinity : typeof value === 'boolean' ? Number(value) : value;
}

export const toScalar = (value: string | number): Scalar => (value === -Infinity ? null : value);
