import { Type, type Static, type TProperties, type TSchema } from 'typebox';
import type { DeepReadonly } from '#libs/kernel/deep-readonly.js';

export * from '#libs/values/schemas.js';
export { storedForm as stored } from '#libs/values/stored-form.js';

export const object = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
export const mapOf = <T extends TSchema>(schema: T) => Type.Record(Type.String(), schema);
export const scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);
export const position = Type.String({ pattern: '^[0-9]{20}$' });
/** Ms between two events. Negative if their clocks differ. */
export const duration = Type.Integer();

export type DocumentOf<S extends TSchema> = DeepReadonly<Static<S>>;
