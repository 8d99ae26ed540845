import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import type { Chain, Rail } from './chain.port.js';
import { transferAuthorizationDigest } from './eip3009.js';
import { escrowedPayment } from './auth-capture.js';
import { ESCROW_CONTRACTS } from './escrow-contracts.js';
import { isTooEarly } from './node-refusals.js';
import type { PaymentPayload } from './payment-payload.js';
import type { Purchase } from './purchase.js';
import { equalsIgnoringCase, type SignedPayment } from './scheme.js';
import { schemeOf } from './schemes.js';

const VALID_SECONDS_MIN = 6n;
const VALID_SECONDS_MAX = 600n;

const EARLY_SIMULATIONS_MAX = 17;
const EARLY_PAUSE_MS = 250;

export interface PaymentRejection {
  readonly code: ServiceErrorCode;
  readonly error: string;
}

const reject = (code: ServiceErrorCode, error: string): PaymentRejection => ({ code, error });

export function offeredRail(payload: PaymentPayload, { rails }: Purchase): Rail | undefined {
  return rails.find(({ network, asset }) => network === payload.network && equalsIgnoringCase(asset, payload.asset));
}

export function checkLocally(payload: PaymentPayload, purchase: Purchase, nowMs: number): PaymentRejection | null {
  const rail = offeredRail(payload, purchase);
  if (!rail) return reject('offer_mismatch', 'The payment is for a rail that this offer does not include.');
  const { from, to, value, validAfter, validBefore } = payload.authorization;
  const { payTo, amount, wallet = from } = purchase;
  const rejectedTerms = checkTerms(payload, purchase, rail);
  if (rejectedTerms) return rejectedTerms;
  const recipient = purchase.escrow ? ESCROW_CONTRACTS[purchase.escrow.version].collector : payTo;
  if (!equalsIgnoringCase(to, recipient)) return reject('wrong_recipient', `The payment must go to ${recipient}.`);
  if (BigInt(value) !== amount) return reject('wrong_amount', `The payment must be of exactly ${amount} units.`);
  const rejection = checkValidity(BigInt(validAfter), BigInt(validBefore), BigInt(Math.floor(nowMs / 1000)));
  if (rejection) return rejection;
  if (!equalsIgnoringCase(from, wallet))
    return reject('wrong_payer', 'The payment must come from the wallet that the request names.');
  if (equalsIgnoringCase(from, payTo))
    return reject('payer_is_payee', 'The payer and the recipient are the same wallet; pay from another one.');
  const { escrow, nonce } = signedPaymentOf(payload, purchase, rail);
  if (escrow && escrow.nonce !== nonce)
    return reject('wrong_nonce', 'The nonce must be the hash of the terms of the escrow; let the x402 client make it.');
  return null;
}

/** The payment as it is sent if it is accepted. Call it for a payment that matches the offer. */
export function signedPaymentOf(payload: PaymentPayload, { payTo, escrow }: Purchase, rail: Rail): SignedPayment {
  const { authorization, signature, accepted, salt } = payload;
  const signed = { ...authorization, signature };
  if (!escrow) return signed;
  const captureDeadline = Number(accepted!.extra!['captureDeadline']);
  const { escrow: contract } = ESCROW_CONTRACTS[escrow.version];
  const terms = { contract, operator: escrow.operator!, receiver: payTo, captureDeadline, salt: salt! };
  return escrowedPayment(rail, signed, terms);
}

function checkValidity(after: bigint, before: bigint, now: bigint): PaymentRejection | null {
  if (after > now) return reject('authorization_not_yet_valid', 'The authorization is not valid yet.');
  const seconds = before - now;
  if (seconds <= 0n) return reject('authorization_expired', 'The authorization is no longer valid.');
  if (seconds < VALID_SECONDS_MIN)
    return reject(
      'authorization_expires_too_soon',
      `The authorization must be valid for at least ${VALID_SECONDS_MIN} more seconds.`,
    );
  if (seconds > VALID_SECONDS_MAX)
    return reject(
      'authorization_expires_too_late',
      `The authorization must not be valid for more than ${VALID_SECONDS_MAX} seconds.`,
    );
  return null;
}

/** Version 1 payments name only a scheme and a network. */
function checkTerms(payload: PaymentPayload, purchase: Purchase, rail: Rail): PaymentRejection | null {
  const { version, accepted, salt, authorization } = payload;
  const scheme = schemeOf(purchase);
  if (purchase.escrow && version === 1)
    return reject('x402_version', 'An escrow takes payments of x402 version 2 only; use a client with `auth-capture`.');
  const isOfScheme = payload.scheme === scheme.name && (!purchase.escrow || salt !== null);
  if (!isOfScheme) return OFFER_MISMATCH;
  if (accepted !== null && !scheme.matches(accepted, purchase, rail))
    return purchase.escrow ? OFFER_CHANGED : OFFER_MISMATCH;
  if (purchase.escrow && authorization.validAfter !== '0')
    return reject('invalid_signature', 'The scheme `auth-capture` signs 0 as `validAfter`.');
  return null;
}

const OFFER_MISMATCH = reject('offer_mismatch', 'The payment does not match the offer; copy the terms of `accepts`.');
const OFFER_CHANGED = reject('offer_changed', 'The offer has changed since; sign the new one. You were not charged.');

const CONTRACT_WALLET = reject(
  'contract_wallet_unsupported',
  'The token of this rail takes no payments of contract wallets; pay on another rail, or from an account with a key.',
);

const INVALID_SIGNATURE = reject('invalid_signature', 'The payer did not sign this payment.');
const USED = reject('authorization_used', 'The authorization was used before; sign a new one.');

/** Tokens require a block later than `validAfter`, so a fresh authorization may have to wait for one. */
async function simulateTransfer(chain: Chain, payment: SignedPayment): Promise<string | null> {
  const call = schemeOf(payment).settlingCall(chain.rail, payment);
  for (let attempt = 1; ; attempt += 1) {
    const reason = await chain.simulate(call);
    if (reason === null || !isTooEarly(reason) || attempt === EARLY_SIMULATIONS_MAX) return reason;
    await pause(EARLY_PAUSE_MS);
  }
}

const missingMoney = ({ from, value }: PaymentPayload['authorization'], { token, title }: Rail) =>
  `Nothing was executed: the wallet ${from} has less than ${formatUsdAmount(BigInt(value))} ${token} on ${title}.`;

/** Returns the block in which the authorization is unused, or the reason for rejecting it. Throws `Unavailable`. */
export async function checkOnChain(
  chain: Chain,
  payment: SignedPayment,
): Promise<PaymentRejection | { readonly block: number }> {
  const { from: payer, nonce, signature } = payment;
  const digest = transferAuthorizationDigest(chain.rail, payment, schemeOf(payment).message);
  const [state, reason] = await Promise.all([
    chain.observe(payer, nonce, { payer, digest, signature }),
    simulateTransfer(chain, payment),
  ]);
  if (state.used) return USED;
  if (state.signature === 'unsupported') return CONTRACT_WALLET;
  if (state.signature !== 'valid') return INVALID_SIGNATURE;
  if (state.balance < BigInt(payment.value)) return reject('insufficient_balance', missingMoney(payment, chain.rail));
  if (reason === null) return { block: state.block };
  // Both queries ran in parallel, so a use in the following block may have caused the refusal.
  const { used } = await chain.observe(payer, nonce);
  return used ? USED : reject('transfer_refused', `The token’s contract refuses the transfer: ${reason.slice(0, 200)}`);
}
