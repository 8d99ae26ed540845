import { sha256Hex } from '#libs/kernel/ids.js';
import type { TransferAuthorization } from '#libs/payments/chain.port.js';

interface Sent {
  /** Null in a transaction that does nothing. */
  readonly authorization: TransferAuthorization | null;
  readonly relayerNonce: number;
  readonly fee: number;
}

export const txOf = (raw: string) => `0x${sha256Hex(raw)}`;
export const sentOf = (raw: string) => JSON.parse(Buffer.from(raw.slice(2), 'hex').toString()) as Sent;
