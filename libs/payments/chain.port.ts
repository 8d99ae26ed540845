import type { ChainName, RailName } from '#libs/domain/event-fields.js';

/** A payment rail: one token on one chain, as configured. */
export interface Rail {
  /** `usdc-base`, `usdg-robinhood`. */
  readonly name: RailName;
  /** CAIP-2: `eip155:8453`. */
  readonly network: string;
  readonly chainId: number;
  /** `base`, `robinhood`. */
  readonly short: ChainName;
  readonly token: 'USDC' | 'USDG';
  readonly asset: string;
  readonly decimals: number;
  /** EIP-712 domain of the token. */
  readonly domain: { readonly name: string; readonly version: string };
  /** Whether the x402 version 1 registry knows the short name. */
  readonly inV1Registry: boolean;
  /** Address of the block explorer, without a slash at the end. */
  readonly explorer: string;
  /** How many blocks a transaction must be deep to be believed; 1 is its own block. */
  readonly confirmations: number;
  /** From when on nothing is believed to change any more: under the chain's `safe` head, or that many blocks deep. */
  readonly finality: 'safe' | number;
}

/** Whether what is confirmed on a rail is final there, so that nothing has to be looked at again. */
export const isFinalWhenConfirmed = ({ confirmations, finality }: Rail) =>
  finality !== 'safe' && finality <= confirmations;

/** What the payer signed: EIP-3009 `TransferWithAuthorization`. Numbers as decimal strings, addresses and nonce 0x hex. */
export interface TransferAuthorization {
  readonly from: string;
  readonly to: string;
  readonly value: string;
  /** Unix seconds. */
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: string;
}

/** A transaction in which the token says that the authorization was used. */
export interface AuthorizationUse {
  readonly tx: string;
  readonly block: number;
  /** Whether the token's next log is exactly `Transfer(from, to, value)`; false for a cancel or another transfer. */
  readonly paid: boolean;
}

/** What became of a transaction of ours. */
export interface Receipt {
  readonly block: number;
  readonly confirmed: boolean;
  readonly status: 'success' | 'reverted';
  /** The use of the authorization in this very transaction. */
  readonly use: AuthorizationUse | null;
}

/** A transaction that was signed and not yet sent. */
export interface SignedTransaction {
  readonly tx: string;
  /** The signed transaction, 0x hex. */
  readonly raw: string;
  readonly relayer: string;
  readonly relayerNonce: number;
  /** maxFeePerGas in wei, decimal. */
  readonly fee: string;
}

/** The node has understood the transaction and will never take it; `reason` is in the node's words. */
export class TransactionRejected extends Error {
  constructor(
    readonly reason: string,
    options?: { cause?: unknown },
  ) {
    super(reason, options);
    this.name = 'TransactionRejected';
  }
}

/**
 * One rail's chain. Only an answer of the contract, or the node's own refusal, is a verdict. Everything else that goes
 * wrong (time-outs, 429, 5xx, answers that are no JSON) is thrown as `Unavailable`.
 */
export interface Chain {
  readonly rail: Rail;

  /** The newest block, and in it whether the authorization is used, the payer's balance and whether the payer is a contract. */
  observe(
    payer: string,
    nonce: string,
  ): Promise<{
    readonly block: number;
    /** Unix seconds. */
    readonly timestamp: number;
    readonly used: boolean;
    readonly balance: bigint;
    readonly contract: boolean;
  }>;

  /** Whether the newest final block shows the authorization used, on any configured RPC; `block` is the lowest of theirs. */
  observeFinal(
    payer: string,
    nonce: string,
  ): Promise<{ readonly block: number; readonly timestamp: number; readonly used: boolean }>;

  /** The hash of the newest block, and the number of the newest final one, the lowest that any configured RPC shows. */
  heads(): Promise<{ readonly newest: string; readonly final: number }>;

  /**
   * The use of an authorization in a confirmed block from some blocks before `fromBlock` on, or null where no configured
   * RPC shows one: there is none, or nodes have thrown away the logs of that time.
   */
  findUse(authorization: TransferAuthorization, fromBlock: number): Promise<AuthorizationUse | null>;

  /** Asks the token whether the transfer would go through now: null, or the contract's reason against it. */
  simulate(authorization: TransferAuthorization, signature: string): Promise<string | null>;

  /** The relayer's address. */
  readonly relayer: string;
  /** How many transactions the relayer's balance pays for at the fees of now. */
  transactionsLeft(): Promise<number>;
  /** The relayer's next nonce, the node's pending transactions counted. */
  nextRelayerNonce(): Promise<number>;
  /** The relayer's lowest nonce that no block has. */
  minedRelayerNonce(): Promise<number>;
  /**
   * Puts a transaction that does nothing at a nonce of the relayer, with a fee that is high enough to replace the one
   * that waits there. Does nothing where a block has that nonce meanwhile.
   */
  clearNonce(relayerNonce: number): Promise<void>;
  /** Signs `transferWithAuthorization` at a relayer nonce; `above` is a fee (wei) that a replacement must exceed by 12.5 %. */
  sign(
    authorization: TransferAuthorization,
    signature: string,
    relayerNonce: number,
    above?: string,
  ): Promise<SignedTransaction>;
  /** Sends a signed transaction. One that the node has already is a success. Throws `TransactionRejected` or `Unavailable`. */
  broadcast(raw: string): Promise<void>;
  /** Null while no block has the transaction. */
  receipt(tx: string, authorization: TransferAuthorization): Promise<Receipt | null>;

  /** Whether all RPC addresses are of one chain, by a block's hash. Throws `Unavailable` where one does not answer. */
  addressesAgree(): Promise<boolean>;
  /** The token's `DOMAIN_SEPARATOR()`, 0x hex, to be compared with the configured domain's. */
  domainSeparator(): Promise<string>;
}
