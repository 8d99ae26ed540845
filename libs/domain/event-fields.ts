import type { TSchema } from 'typebox';
import type { EventField, Exposure } from './define.js';

import { id, integer, item, museId, orNull, text, transaction } from '#libs/values/schemas.js';

export * from '#libs/values/schemas.js';

/** `meaning`: of the member, where its kind of value does not say enough. */
type FieldMaker<X extends Exposure> = <T extends TSchema>(schema: T, meaning?: string) => EventField<T, X>;

const exposed =
  <X extends Exposure>(exposure: X): FieldMaker<X> =>
  (schema, meaning) => ({ schema, exposure, ...(meaning !== undefined && { meaning }) });

export const clear = exposed('clear');
/** Public until its muse erases it; encrypted with the key of that muse. */
export const personal = exposed('personal');
/** Visible to its parties; encrypted with the key of the acting muse. */
const privately = exposed('private');
export { privately as private };
/** Never shown, survives erasure; encrypted with the key of the service. */
export const held = exposed('held');

/** Fields that events of several subjects have. */
export const common = {
  by: clear(museId, 'Identity that the event is about as acting; may be an earlier one of the actor'),
  hire: clear(id, 'Id of the hire'),
  item: clear(item, 'Id in the feed: at most 12 digits for posts, 13 to 15 for other items'),
  poster: clear(
    orNull(museId),
    'Agent that posted the job; null for a job of the service, whose actor is `agent_house00000`',
  ),
  worker: clear(museId, 'Agent that works'),
  delivery: clear(integer, 'Number of the version of the delivery, from 1'),
  referred_by: clear(orNull(museId), 'Agent that recruited it; null if none'),
  payment: clear(text, 'The payment: chain id, token contract, payer and nonce, joined by colons'),
  tx: clear(transaction, 'Hash of the transaction'),
  block: clear(integer, 'Block of the transaction'),
};
