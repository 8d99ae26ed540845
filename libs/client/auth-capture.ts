import { keccak_256 } from '@noble/hashes/sha3.js';
import { hex } from '@scure/base';
import { EVM_ADDRESS } from '#libs/kernel/evm-address.js';
import { DAY_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { KNOWN_ESCROWS, type KnownEscrow } from './known-escrows.js';
import { randomBytes } from './random.js';

/** More than the longest work and review of a job take. */
const HELD_MS_MAX = 120 * DAY_MS;
const SALT_BYTES = 32;
const WORD_DIGITS = 64;
const ADDRESS_DIGITS = 40;
const ZERO_ADDRESS = `0x${'0'.repeat(ADDRESS_DIGITS)}`;
const PAYMENT_INFO =
  'PaymentInfo(address operator,address payer,address receiver,address token,uint120 maxAmount,' +
  'uint48 preApprovalExpiry,uint48 authorizationExpiry,uint48 refundExpiry,uint16 minFeeBps,uint16 maxFeeBps,' +
  'address feeReceiver,uint256 salt)';

/** Terms of an escrow: an account of the service can release the money to the receiver or return it until `deadline`. */
export interface EscrowTerms extends KnownEscrow {
  readonly operator: string;
  /** Unix s: from then on the payer can take the money back. */
  readonly deadline: number;
}

interface EscrowPayment {
  readonly receiver: string;
  readonly token: string;
  readonly amount: string;
  /** Unix s. */
  readonly validBefore: number;
}

const isSame = (one: unknown, other: string) => typeof one === 'string' && one.toLowerCase() === other.toLowerCase();

/** Reads `extra` of an offer. Null if the escrow is unknown, takes a fee, or would hold the money for too long. */
export function readEscrowTerms(extra: JsonObject, chainId: number, now: number): EscrowTerms | null {
  const { captureAuthorizer: operator, captureDeadline: deadline } = extra;
  const known = KNOWN_ESCROWS.find(each => each.chainId === chainId && isSame(extra['authCaptureEscrow'], each.escrow));
  const isFree = extra['minFeeBps'] === 0 && extra['maxFeeBps'] === 0 && isSame(extra['feeRecipient'], ZERO_ADDRESS);
  if (!known || !isFree || typeof operator !== 'string' || !EVM_ADDRESS.test(operator)) return null;
  if (typeof deadline !== 'number' || extra['refundDeadline'] !== deadline) return null;
  const heldMs = deadline * SECOND_MS - now;
  return heldMs > 0 && heldMs <= HELD_MS_MAX ? { ...known, operator, deadline } : null;
}

/** A fresh salt, and the EIP-3009 nonce that binds the authorization to the terms. The nonce does not name the payer. */
export function newEscrowNonce(terms: EscrowTerms, payment: EscrowPayment): { salt: string; nonce: string } {
  const { chainId, escrow, operator, deadline } = terms;
  const salt = `0x${hex.encode(randomBytes(SALT_BYTES))}`;
  const { receiver, token, amount, validBefore } = payment;
  const fees = [0, 0, ZERO_ADDRESS];
  const times = [validBefore, deadline, deadline];
  const typehash = hashText(PAYMENT_INFO);
  const info = hashWords([typehash, operator, ZERO_ADDRESS, receiver, token, amount, ...times, ...fees, salt]);
  return { salt, nonce: hashWords([chainId, escrow, info]) };
}

const hashText = (text: string) => `0x${hex.encode(keccak_256(new TextEncoder().encode(text)))}`;

/** keccak256 of static values that are ABI encoded to one word each. */
function hashWords(values: readonly (string | number)[]): string {
  const words = values.map(value => BigInt(value).toString(16).padStart(WORD_DIGITS, '0')).join('');
  return `0x${hex.encode(keccak_256(hex.decode(words)))}`;
}

/** `keccak256("PaymentAuthorized(bytes32,PaymentInfo,uint256,address)")` with the members of `PaymentInfo`. */
const PAYMENT_AUTHORIZED = '0x1c81fb2e3bab27f6bb09bee9a0dddf61600b7cbaf2c12683e4864e0cbdb9d284';
const RECLAIM_SELECTOR = '0xe1a2a66d';
const INFO_CHARS = 2 + 12 * WORD_DIGITS;

/** A transaction that the payer sends from its own wallet. */
export interface ReclaimTransaction {
  readonly chainId: number;
  readonly to: string;
  readonly data: string;
}

interface FundingReceipt {
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[];
}

/**
 * Transactions that take escrowed money back without the service, from the second of the deadline on. `receipt`: that
 * of the funding transaction by `eth_getTransactionReceipt`.
 */
export function reclaimTransactions(receipt: FundingReceipt | null, payer: string): ReclaimTransaction[] {
  return (receipt?.logs ?? []).flatMap(({ address, topics, data }) => {
    const known = KNOWN_ESCROWS.find(({ escrow }) => isSame(address, escrow));
    if (!known || topics[0] !== PAYMENT_AUTHORIZED) return [];
    const info = data.slice(2, INFO_CHARS);
    const infoPayer = `0x${info.slice(2 * WORD_DIGITS - ADDRESS_DIGITS, 2 * WORD_DIGITS)}`;
    return isSame(infoPayer, payer)
      ? [{ chainId: known.chainId, to: known.escrow, data: RECLAIM_SELECTOR + info }]
      : [];
  });
}
