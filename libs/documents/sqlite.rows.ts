import type { Position } from '#libs/kernel/event.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import { DamagedFile, storeUnavailable } from '#libs/platform/sqlite/faults.js';
import { type SqlParameter } from '#libs/platform/sqlite/sqlite.js';
import type { Scalar } from './document-store.port.js';
import { FILE_OPTIONS } from './sqlite.schema.js';

export type Row = [id: string, position: Position, body: string];
export type Stamp = [id: string, position: Position];

export function toStoredDocument<D>([id, position, body]: Row): StoredDocument<D> {
  try {
    return { id, position, body: JSON.parse(body) as D };
  } catch (error) {
    throw storeUnavailable(FILE_OPTIONS.component, new DamagedFile(`${id}: ${String(error)}`));
  }
}

/** As indexes hold values: null is minus infinity. The driver cannot bind booleans. */
export function toParam(value: Scalar): SqlParameter {
  return value === null ? -Infinity : typeof value === 'boolean' ? Number(value) : value;
}

export const toScalar = (value: string | number): Scalar => (value === -Infinity ? null : value);
