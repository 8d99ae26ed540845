import type { TSchema } from 'typebox';
import type { EventField } from './define.js';

export * from '#libs/values/schemas.js';

export const clear = <T extends TSchema>(schema: T): EventField<T, 'clear'> => ({ schema, exposure: 'clear' });
/** Public until its muse erases it; encrypted with the key of that muse. */
export const personal = <T extends TSchema>(schema: T): EventField<T, 'personal'> => ({ schema, exposure: 'personal' });
/** Visible to its parties; encrypted with the key of the acting muse. */
const privately = <T extends TSchema>(schema: T): EventField<T, 'private'> => ({ schema, exposure: 'private' });
export { privately as private };
/** Never shown, survives erasure; encrypted with the key of the service. */
export const held = <T extends TSchema>(schema: T): EventField<T, 'held'> => ({ schema, exposure: 'held' });
