import type { Rail } from '#libs/payments/chain.port.js';

/** `AuthorizationUsed(address,bytes32)` of EIP-3009, and ERC-20's `Transfer(address,address,uint256)`. */
export const AUTHORIZATION_USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5';
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

interface RecordedPayment {
  readonly rail: Rail;
  readonly tx: string;
  readonly block: number;
  /** Smallest units. */
  readonly amount: string;
  /** Chain, asset, payer and nonce, separated by colons. */
  readonly authorization: string;
}

interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

interface Receipt {
  readonly status: string;
  readonly blockNumber: string;
  readonly logs: readonly Log[];
}

/**
 * Returns a sentence, or null if the receipt (`eth_getTransactionReceipt`) uses this authorization and moves exactly
 * this amount from its payer. The record does not name the receiver, so any is accepted.
 */
export function transferFault(
  receipt: unknown,
  { rail, tx, block, amount, authorization }: RecordedPayment,
): string | null {
  if (!isReceipt(receipt)) return `The chain does not know the transaction ${tx}.`;
  if (Number(receipt.blockNumber) !== block) return `It is in block ${Number(receipt.blockNumber)}, not ${block}.`;
  const [, , payer = '', nonce = ''] = authorization.toLowerCase().split(':');
  const logs = receipt.logs.filter(({ address }) => address.toLowerCase() === rail.asset.toLowerCase());
  const used = logs.findIndex(({ topics: [event, from, used] }) => {
    return event === AUTHORIZATION_USED && isAddress(from, payer) && used?.toLowerCase() === nonce;
  });
  const moved = used < 0 ? undefined : logs[used + 1];
  const isPaid = moved?.topics[0] === TRANSFER && isAddress(moved.topics[1], payer) && sameAmount(moved.data, amount);
  return isPaid ? null : 'The transaction does not transfer this amount with this authorization.';
}

const isReceipt = (value: unknown): value is Receipt =>
  typeof value === 'object' && value !== null && Array.isArray((value as Receipt).logs);

const isAddress = (topic: string | undefined, address: string) =>
  address.length === 42 && topic?.toLowerCase() === `0x${address.slice(2).padStart(64, '0')}`;

const sameAmount = (data: string, amount: string) => /^0x[0-9a-f]{64}$/i.test(data) && BigInt(data) === BigInt(amount);
