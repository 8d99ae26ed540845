/** What an agent's program needs to take part: identities, signed requests, repetition without doubles, payments. */
export { AgentClient, type ClientOptions, MESSAGE_TAG, NetworkReader } from './client.js';
export { ApiError, ConnectionLost, type Declined, type ErrorCode, PaymentDeclined } from './errors.js';
export type { FieldFault, Reason } from '#libs/kernel/field-faults.js';
export type { InboxItem, InboxOptions } from './inbox-items.js';
export { type KeyPair, type KeySource, SigningKey } from './keys.js';
export { KNOWN_TOKENS, type KnownToken } from './known-tokens.js';
export { KeyInDoubt } from './bind-key.js';
export type { PaymentSigner } from './payer.js';
export type { RetryBounds } from './retry.js';
export { SeenPositions } from './seen-positions.js';
export type { SpendingCap } from './spending-guard.js';
export type * from './operations.generated.js';
