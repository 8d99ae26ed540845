import type { ChainName, RailName } from '#libs/domain/event-fields.js';
import type { Log } from './rpc-values.js';
import type { EscrowContracts } from './escrow-contracts.js';

export interface Rail {
  readonly name: RailName;
  readonly network: string;
  readonly chainId: number;
  readonly short: ChainName;
  /** Name of the chain for people. */
  readonly title: string;
  readonly token: 'USDC' | 'USDG';
  readonly asset: string;
  readonly decimals: number;
  readonly domain: { readonly name: string; readonly version: string };
  /** Whether the token asks a payer that has code (ERC-1271), and takes signatures of any length. */
  readonly asksWallets: boolean;
  /** Whether the x402 version 1 registry has the short name. */
  readonly inV1Registry: boolean;
  readonly explorer: string;
  /** Depth at which a transaction is confirmed; 1 is its own block. */
  readonly confirmations: number;
  /** Depth at which a transaction is final: the chain's `safe` head, or a number of blocks. */
  readonly finality: 'safe' | number;
}

/** By the prefix of a payment's id: `<chain id>:<asset>:`. */
export const isPaymentOn = ({ chainId, asset }: Rail, payment: string) =>
  payment.startsWith(`${chainId}:${asset.toLowerCase()}:`);

export const isFinalWhenConfirmed = ({ confirmations, finality }: Rail) =>
  finality !== 'safe' && finality <= confirmations;

/**
 * Signed EIP-3009 `TransferWithAuthorization`. Numbers are decimal strings, times unix seconds, addresses and nonce 0x
 * hex.
 */
export interface TransferAuthorization {
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: string;
}

/** Authorization and transfer that the logs of a payment show. */
export type ExpectedUse = Pick<TransferAuthorization, 'from' | 'to' | 'value' | 'nonce'> & {
  /** Key of the payment in the contract that must have taken the money. */
  readonly funding?: EscrowContracts & { readonly hash: string };
};

/** Call of a contract that an account of the service sends. */
export interface ContractCall {
  readonly to: string;
  readonly data: string;
  /** Estimated if absent. */
  readonly gasLimit?: bigint;
  /** Call that is sent instead while a wallet has no code. */
  readonly undeployed?: UndeployedCall;
}

export interface UndeployedCall {
  readonly wallet: string;
  readonly to: string;
  readonly data: string;
  /** Signature with the deployment, for a facilitator. */
  readonly signature?: string;
  /** Simulated instead of `data`, if that is a call of Multicall3, which hides why a call fails. */
  readonly dryRun?: string;
}

/** An EIP-712 digest, and the payer who is said to have signed it. */
export interface SignedDigest {
  readonly payer: string;
  readonly digest: string;
  readonly signature: string;
}

/** `unsupported`: of a contract wallet, on a rail whose token only recovers signers. */
export type SignatureVerdict = 'valid' | 'invalid' | 'unsupported';

export interface AuthorizationUse {
  readonly tx: string;
  readonly block: number;
  /**
   * Whether the token's next log is exactly `Transfer(from, to, value)`; false for a cancellation or another transfer.
   */
  readonly paid: boolean;
}

export interface Receipt {
  readonly block: number;
  readonly confirmed: boolean;
  readonly status: 'success' | 'reverted';
  readonly use: AuthorizationUse | null;
}

/** Named as the relayer of a payment that a facilitator sends, from accounts of its own. */
export const FACILITATOR_ACCOUNT = `0x${'0'.repeat(40)}`;

/** Receipt of a transaction with all its logs. */
export interface LoggedReceipt {
  readonly block: number;
  readonly isConfirmed: boolean;
  readonly status: 'success' | 'reverted';
  readonly logs: readonly Log[];
}

/** Topics of a log, first its event: one of several. */
export type LogTopics = readonly [events: readonly string[], ...others: readonly string[]];

export interface SignedTransaction {
  readonly tx: string;
  readonly raw: string;
  readonly relayer: string;
  readonly relayerNonce: number;
  /** maxFeePerGas in wei, decimal. */
  readonly fee: string;
}

/** The message is the reason of the node. */
export class TransactionRejected extends Error {
  override readonly name = 'TransactionRejected';
}

/**
 * Chain of one rail. Only answers of the contract and refusals of the node count; every other failure (timeout, 429,
 * 5xx, invalid JSON) is thrown as `Unavailable`.
 */
export interface Chain {
  readonly rail: Rail;

  /** Also checks a signature at the same block. */
  observe(
    payer: string,
    nonce: string,
    signed?: SignedDigest,
  ): Promise<{
    readonly block: number;
    /** Unix seconds. */
    readonly timestamp: number;
    readonly used: boolean;
    readonly balance: bigint;
    /** Null without a signature. */
    readonly signature: SignatureVerdict | null;
  }>;

  /**
   * State of the authorization in the newest final block that every RPC address has. `used` if any address shows a
   * use.
   */
  observeFinal(
    payer: string,
    nonce: string,
  ): Promise<{ readonly block: number; readonly timestamp: number; readonly used: boolean }>;

  /** Hash of the newest block, and the newest final block that every RPC address has. */
  heads(): Promise<{ readonly newest: string; readonly final: number }>;

  /**
   * Confirmed use of an authorization from shortly before `fromBlock` on. Null if no RPC address shows one: it does not
   * exist, or the nodes have pruned their logs.
   */
  findUse(expected: ExpectedUse, fromBlock: number): Promise<AuthorizationUse | null>;

  /** Reason why the contract refuses the call; null if it would succeed. */
  simulate(call: ContractCall): Promise<string | null>;

  readonly relayer: string;
  transactionsLeft(): Promise<number>;
  nextRelayerNonce(): Promise<number>;
  minedRelayerNonce(): Promise<number>;
  /** Replaces the transaction pending at a nonce by an empty one. Does nothing if the nonce is mined already. */
  clearNonce(relayerNonce: number): Promise<void>;
  /** `above`: fee in wei of the transaction to replace. */
  sign(call: ContractCall, relayerNonce: number, above?: string): Promise<SignedTransaction>;
  /** Succeeds if the node has the transaction already. Throws `TransactionRejected` or `Unavailable`. */
  broadcast(raw: string): Promise<void>;
  receipt(tx: string, expected: ExpectedUse): Promise<Receipt | null>;

  logsOf(tx: string): Promise<LoggedReceipt | null>;
  /** Newest confirmed log of a contract, from shortly before `fromBlock` on. Null if no RPC address shows one. */
  findNewestLog(address: string, topics: LogTopics, fromBlock: number): Promise<Log | null>;

  /** Results of read-only calls in the newest block; null for a call that reverts. */
  view(calls: readonly ContractCall[]): Promise<{
    readonly block: number;
    /** Unix seconds. */
    readonly timestamp: number;
    readonly results: readonly (string | null)[];
  }>;

  /** Whether all RPC addresses show the same chain. Throws `Unavailable` if one does not answer. */
  addressesAgree(): Promise<boolean>;
  /** `DOMAIN_SEPARATOR()` of the token, 0x hex (EIP-712). */
  domainSeparator(): Promise<string>;
}
