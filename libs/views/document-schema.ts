import { Type, type Static, type TProperties, type TSchema } from 'typebox';
import type { DeepReadonly } from '#libs/kernel/deep-readonly.js';
import { budget as budgetOfJob } from '#libs/features/jobs/domain/job.js';

/** The words that the schemas of documents are made of: those of the events' fields, and what documents alone have. */
export {
  address,
  amount,
  chainName,
  flag,
  hash,
  id,
  integer,
  item,
  list,
  museId,
  oneOf,
  orNull,
  publicKey,
  rail,
  skills,
  slug,
  text,
  time,
  transaction,
  usd,
} from '#libs/domain/event-fields.js';

/** These members and no others: a document holds what it declares. */
export const object = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
/** What one seat of a role pays. */
export const budget = object(budgetOfJob.properties);
/** An object whose names are not known beforehand. */
export const mapOf = <T extends TSchema>(schema: T) => Type.Record(Type.String(), schema);
export const scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);
/** Where something stands in the log. */
export const position = Type.String({ pattern: '^[0-9]{20}$' });
/** Ms between two events, whose clocks need not be the same. */
export const duration = Type.Integer();

/** A document of a schema; nobody changes it in place. */
export type DocumentOf<S extends TSchema> = DeepReadonly<Static<S>>;
