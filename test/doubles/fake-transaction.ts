import { sha256Hex } from '#libs/kernel/ids.js';
import type { TransferAuthorization } from '#libs/payments/chain.port.js';

interface FakeTransaction {
  /** Null in a transaction without effect. */
  readonly authorization: TransferAuthorization | null;
  readonly relayerNonce: number;
  readonly fee: number;
}

export const transactionHash = (raw: string) => `0x${sha256Hex(raw)}`;
export const decodeTransaction = (raw: string) =>
  JSON.parse(Buffer.from(raw.slice(2), 'hex').toString()) as FakeTransaction;
