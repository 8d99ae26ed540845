import { computeCommitment } from '#libs/kernel/commitment.js';
import type { PaymentAcceptedEvent } from '#libs/domain/payment.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import type { PaidRequest } from './purchase.js';

const IGNORED_FIELDS: ReadonlySet<string> = new Set([
  'signature',
  'timestamp',
  'nonce',
  'muse_id',
  'x402_payment',
  'origin',
]);

type ComparedRequest = Pick<PaidRequest, 'endpoint' | 'fields'> & { readonly context: Pick<CommandContext, 'actor'> };

/** Canonical JSON (RFC 8785) of endpoint, muse and fields. Equal for equal purchases. */
export function comparableText({ endpoint, context, fields }: ComparedRequest): string {
  const compared = Object.fromEntries(Object.entries(fields).filter(([name]) => !IGNORED_FIELDS.has(name)));
  return canonicalJson({ endpoint, muse_id: context.actor, fields: compared });
}

/** After `forget`, the commitment matches no request. */
export function isPaidRequest({ data }: Pick<PaymentAcceptedEvent, 'data'>, request: ComparedRequest): boolean {
  const { request_commitment: commitment, request_salt: salt } = data;
  return salt !== null && computeCommitment(salt, comparableText(request)) === commitment;
}

/** After `forget`, requests cannot be compared, so every request of the muse matches. */
export const canBePaidRequest = (accepted: Pick<PaymentAcceptedEvent, 'data'>, request: ComparedRequest): boolean =>
  isPaidRequest(accepted, request) || isErasedRequest(accepted, request);

const isErasedRequest = ({ data }: Pick<PaymentAcceptedEvent, 'data'>, { context }: ComparedRequest) =>
  data.request_salt === null && data.muse_id === context.actor;
