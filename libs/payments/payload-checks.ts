import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import type { Chain, Rail } from './chain.port.js';
import { recoverPayer } from './eip3009.js';
import { isTooEarly } from './node-refusals.js';
import { offerEntry, SCHEME } from './offers.js';
import type { PaymentPayload } from './payment-payload.js';
import type { Purchase } from './purchase.js';

const VALID_SECONDS_MIN = 6;
const VALID_SECONDS_MAX = 600;
const SIGNATURE_CHARS = 2 + 2 * 65;

const EARLY_SIMULATIONS_MAX = 17;
const EARLY_PAUSE_MS = 250;

export interface PaymentRejection {
  readonly code: ServiceErrorCode;
  readonly error: string;
}

type Check = (payload: PaymentPayload, purchase: Purchase, rail: Rail, nowSeconds: bigint) => PaymentRejection | null;

const rejectIf = (fails: boolean, code: ServiceErrorCode, error: string): PaymentRejection | null =>
  fails ? { code, error } : null;
const equalsIgnoringCase = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

export function offeredRail(payload: PaymentPayload, { rails }: Purchase): Rail | undefined {
  return rails.find(({ network, asset }) => network === payload.network && equalsIgnoringCase(asset, payload.asset));
}

export function checkLocally(payload: PaymentPayload, purchase: Purchase, nowMs: number): PaymentRejection | null {
  const rail = offeredRail(payload, purchase);
  if (!rail) return { code: 'offer_mismatch', error: 'The payment is for a rail that this offer does not include.' };
  const now = BigInt(Math.floor(nowMs / 1000));
  for (const check of CHECKS) {
    const rejection = check(payload, purchase, rail, now);
    if (rejection) return rejection;
  }
  return null;
}

const CHECKS: readonly Check[] = [
  (payload, purchase, rail) =>
    rejectIf(
      !matchesOffer(payload, purchase, rail),
      'offer_mismatch',
      'The payment does not match the offer; copy the terms of `accepts`.',
    ),
  ({ authorization }, { payTo }) =>
    rejectIf(!equalsIgnoringCase(authorization.to, payTo), 'wrong_recipient', `The payment must go to ${payTo}.`),
  ({ authorization }, { amount }) =>
    rejectIf(BigInt(authorization.value) !== amount, 'wrong_amount', `The payment must be of exactly ${amount} units.`),
  ({ authorization }, _purchase, _rail, now) =>
    rejectIf(
      BigInt(authorization.validAfter) > now,
      'authorization_not_yet_valid',
      'The authorization is not valid yet.',
    ),
  ({ authorization }, _purchase, _rail, now) => checkValidity(BigInt(authorization.validBefore) - now),
  ({ authorization }, { wallet }) =>
    rejectIf(
      wallet !== undefined && !equalsIgnoringCase(authorization.from, wallet),
      'wrong_payer',
      'The payment must come from the wallet that the request names.',
    ),
  ({ authorization }, { payTo }) =>
    rejectIf(
      equalsIgnoringCase(authorization.from, payTo),
      'payer_is_payee',
      'The payer and the recipient are the same wallet; pay from another one.',
    ),
];

/** Version 1 payments name only a scheme and a network. */
function matchesOffer({ scheme, accepted }: PaymentPayload, purchase: Purchase, rail: Rail): boolean {
  if (scheme !== SCHEME) return false;
  if (accepted === null) return true;
  const offered = offerEntry(purchase, rail);
  const { name, version } = accepted.extra ?? {};
  return (
    accepted.amount === offered.amount &&
    equalsIgnoringCase(accepted.payTo, offered.payTo) &&
    accepted.maxTimeoutSeconds === offered.maxTimeoutSeconds &&
    name === offered.extra.name &&
    version === offered.extra.version
  );
}

function checkValidity(seconds: bigint): PaymentRejection | null {
  if (seconds <= 0n) return { code: 'authorization_expired', error: 'The authorization is no longer valid.' };
  return (
    rejectIf(
      seconds < BigInt(VALID_SECONDS_MIN),
      'authorization_expires_too_soon',
      `The authorization must be valid for at least ${VALID_SECONDS_MIN} more seconds.`,
    ) ??
    rejectIf(
      seconds > BigInt(VALID_SECONDS_MAX),
      'authorization_expires_too_late',
      `The authorization must not be valid for more than ${VALID_SECONDS_MAX} seconds.`,
    )
  );
}

const CONTRACT_WALLET: PaymentRejection = {
  code: 'contract_wallet_unsupported',
  error: 'Payments of contract wallets (ERC-1271, ERC-6492) are not supported yet; pay from an account with a key.',
};

export async function checkSignature(
  { authorization, signature }: PaymentPayload,
  rail: Rail,
): Promise<PaymentRejection | null> {
  if (signature.length > SIGNATURE_CHARS) return CONTRACT_WALLET;
  const payer = await recoverPayer(rail, authorization, signature);
  const isSigned = payer !== null && equalsIgnoringCase(payer, authorization.from);
  return rejectIf(!isSigned, 'invalid_signature', 'The payer did not sign this payment.');
}

const rejectUsed = ({ used }: { readonly used: boolean }) =>
  rejectIf(used, 'authorization_used', 'The authorization was used before; sign a new one.');

/** Tokens require a block later than `validAfter`, so a fresh authorization may have to wait for one. */
async function simulateTransfer(chain: Chain, { authorization, signature }: PaymentPayload): Promise<string | null> {
  for (let attempt = 1; ; attempt += 1) {
    const reason = await chain.simulate(authorization, signature);
    if (reason === null || !isTooEarly(reason) || attempt === EARLY_SIMULATIONS_MAX) return reason;
    await pause(EARLY_PAUSE_MS);
  }
}

/** Returns the block in which the authorization is unused, or the reason for rejecting it. Throws `Unavailable`. */
export async function checkOnChain(
  chain: Chain,
  payload: PaymentPayload,
): Promise<PaymentRejection | { readonly block: number }> {
  const { authorization } = payload;
  const [state, reason] = await Promise.all([
    chain.observe(authorization.from, authorization.nonce),
    simulateTransfer(chain, payload),
  ]);
  const rejection =
    rejectUsed(state) ??
    (state.contract ? CONTRACT_WALLET : null) ??
    rejectIf(
      state.balance < BigInt(authorization.value),
      'insufficient_balance',
      'The payer’s balance does not cover the amount.',
    );
  if (rejection) return rejection;
  if (reason === null) return { block: state.block };
  // Both queries ran in parallel, so a use in the following block may have caused the refusal.
  const useRejection = rejectUsed(await chain.observe(authorization.from, authorization.nonce));
  if (useRejection) return useRejection;
  return { code: 'transfer_refused', error: `The token’s contract refuses the transfer: ${reason.slice(0, 200)}` };
}
