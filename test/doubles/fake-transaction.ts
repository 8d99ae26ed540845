import { sha256Hex } from '#libs/kernel/ids.js';
import type { ContractCall, TransferAuthorization } from '#libs/payments/chain.port.js';
import { TOKEN } from '#libs/payments/eip3009.js';

interface FakeTransaction {
  /** Null in a transaction without effect. */
  readonly authorization: TransferAuthorization | null;
  readonly relayerNonce: number;
  readonly fee: number;
}

export const transactionHash = (raw: string) => `0x${sha256Hex(raw)}`;
export const decodeTransaction = (raw: string) =>
  JSON.parse(Buffer.from(raw.slice(2), 'hex').toString()) as FakeTransaction;

const TRANSFER_FIELDS = ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'];

export function decodeTransfer({ data }: ContractCall): TransferAuthorization {
  const values = TOKEN.parseTransaction({ data })!.args;
  const entries = TRANSFER_FIELDS.map(name => [name, String(values[name])]);
  return Object.fromEntries(entries);
}
