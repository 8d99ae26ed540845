import type { Position } from '#libs/kernel/event.js';
import type { Stored } from '#libs/kernel/projection.js';
import type { Param } from '#libs/platform/sqlite/open.js';
import type { Scalar } from './port.js';

/** A document as a statement answers it. */
export type Row = [id: string, position: Position, body: string];
/** What stands before its body. */
export type Stamp = [id: string, position: Position];

export function stored<D>([id, position, body]: Row): Stored<D> {
  return { id, position, body: JSON.parse(body) as D };
}

/** As an index holds it: JSON's booleans are 1 and 0, null is minus infinity. The driver cannot bind a boolean. */
export function param(value: Scalar): Param {
  return value === null ? -Infinity : typeof value === 'boolean' ? Number(value) : value;
}

/** What an index holds, as a value that a question may name. */
export const scalar = (value: string | number): Scalar => (value === -Infinity ? null : value);
