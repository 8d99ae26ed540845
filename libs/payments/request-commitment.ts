import { computeCommitment } from '#libs/kernel/commitment.js';
import type { PaymentAcceptedEvent } from '#libs/domain/payment.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import type { PaidRequest } from './purchase.js';

/** What differs between two requests that ask for the same. */
const IGNORED_FIELDS: ReadonlySet<string> = new Set([
  'signature',
  'timestamp',
  'nonce',
  'muse_id',
  'x402_payment',
  'origin',
]);

type ComparedRequest = Pick<PaidRequest, 'endpoint' | 'fields'> & { readonly context: Pick<CommandContext, 'actor'> };

/** What makes two requests the same purchase: the canonical JSON (RFC 8785) of endpoint, muse and fields. */
export function comparableText({ endpoint, context, fields }: ComparedRequest): string {
  const compared = Object.fromEntries(Object.entries(fields).filter(([name]) => !IGNORED_FIELDS.has(name)));
  return canonicalJson({ endpoint, muse_id: context.actor, fields: compared });
}

/** Whether a payment was made for a request. What its muse has erased is nobody's request any more. */
export function isPaidRequest({ data }: Pick<PaymentAcceptedEvent, 'data'>, request: ComparedRequest): boolean {
  const { request_commitment: commitment, request_salt: salt } = data;
  return salt !== null && computeCommitment(salt, comparableText(request)) === commitment;
}

/**
 * Whether a payment may be a request's: where its muse has erased itself meanwhile nobody can compare them any more, and
 * what became of the payment says so.
 */
export const canBePaidRequest = (accepted: Pick<PaymentAcceptedEvent, 'data'>, request: ComparedRequest): boolean =>
  isPaidRequest(accepted, request) || isErasedRequest(accepted, request);

const isErasedRequest = ({ data }: Pick<PaymentAcceptedEvent, 'data'>, { context }: ComparedRequest) =>
  data.request_salt === null && data.muse_id === context.actor;
