import type { SubmittedTransaction } from '#libs/domain/payment.js';
import { type Chain, type ContractCall, type SignedTransaction, TransactionRejected } from './chain.port.js';
import { rawTransaction } from './ledger.js';
import type { Seen } from './payment-machine.js';
import type { Relayer } from './relayer.js';
import type { Timing } from './timing.js';

export interface RailConnection {
  readonly chain: Chain;
  readonly relayer: Relayer;
}

/** A call to send. `S` is the stream that records its transactions. */
export interface SendingTask<S> {
  /** Names the call for the relayer: a payment. */
  readonly key: string;
  readonly connection: RailConnection;
  readonly stream: S;
  readonly call: () => ContractCall;
  readonly submitted: (stream: S) => readonly SubmittedTransaction[];
  readonly record: (stream: S, signed: SignedTransaction) => Promise<S>;
}

type SeenAfterSending = Partial<Seen<{ readonly status: 'unconfirmed' }>>;

/** Stream after a sending, and changes of what was observed. */
export interface Sending<S> {
  readonly stream: S;
  readonly changes: SeenAfterSending;
}

/** A block is awaited before the next look. */
const OBSERVED_LATER = { onChain: { status: 'unconfirmed' } } as const;

/** `signed`: recorded, but not sent. `busy`: another process has the account, or a lower nonce is pending. */
const CHANGES = {
  signed: { transaction: 'unsent' },
  sent: { onChain: null, transaction: 'sent' },
  rejected: { onChain: null, transaction: 'rejected' },
  busy: OBSERVED_LATER,
} as const satisfies { readonly [result: string]: SeenAfterSending };

interface TransactionSenderDependencies {
  readonly timing: Pick<Timing, 'stuckMs'>;
  readonly isNonceInUse: (key: string, relayer: string, nonce: number) => Promise<boolean>;
}

/** Signs, records and sends the transactions of an account, in this order. */
export class TransactionSender {
  constructor(private readonly dependencies: TransactionSenderDependencies) {}

  async submit<S>(task: SendingTask<S>): Promise<Sending<S>> {
    const { signing, recordedStream } = prepareSigning(task);
    const hasSigned = await task.connection.relayer.submit(signing);
    return hasSigned ? { stream: recordedStream(), changes: CHANGES.signed } : sendingLater(task);
  }

  /** Succeeds if the node has the transaction already. */
  async broadcast<S>(task: SendingTask<S>): Promise<Sending<S>> {
    const { key, connection, stream } = task;
    const { chain, relayer } = connection;
    const submission = latestOf(task);
    try {
      await chain.broadcast(rawTransaction(submission));
    } catch (error) {
      relayer.markFailed(key, error instanceof TransactionRejected);
      if (!(error instanceof TransactionRejected)) throw error;
      return { stream, changes: CHANGES.rejected };
    }
    relayer.markBroadcast(key, submission.tx);
    return { stream, changes: CHANGES.sent };
  }

  /**
   * Replaces a transaction that no block includes: rebroadcasts one that the node has lost, fills an unused lower
   * nonce, or raises the fee. Waits while a lower nonce of another payment is pending.
   */
  async replace<S>(task: SendingTask<S>): Promise<Sending<S>> {
    const { chain, relayer } = task.connection;
    const { relayer: account, relayer_nonce: nonce, fee } = latestOf(task);
    if (account.toLowerCase() !== chain.relayer.toLowerCase()) return this.submit(task);
    const [pending, mined] = await Promise.all([chain.nextRelayerNonce(), chain.minedRelayerNonce()]);
    if (mined < Math.min(nonce, pending)) {
      await this.clearBlockedNonce(task, mined);
      if (pending > nonce) return sendingLater(task);
    }
    if (pending === nonce) return this.broadcastAgain(task);
    const { signing, recordedStream } = prepareSigning(task, pending > nonce ? fee : undefined);
    if (!(await relayer.resubmit(signing, Math.min(pending, nonce)))) return sendingLater(task);
    return this.broadcastAgain({ ...task, stream: recordedStream() });
  }

  private async broadcastAgain<S>(task: SendingTask<S>): Promise<Sending<S>> {
    const { stream, changes } = await this.broadcast(task);
    return { stream, changes: { ...changes, ...OBSERVED_LATER } };
  }

  /**
   * Frees the lowest pending nonce if only an expired payment uses it. Other payments replace their own transactions.
   */
  private async clearBlockedNonce<S>({ key, connection }: SendingTask<S>, nonce: number): Promise<void> {
    const { isNonceInUse, timing } = this.dependencies;
    const { chain, relayer } = connection;
    if (await isNonceInUse(key, chain.relayer, nonce)) return;
    await relayer.clearNonce(nonce, timing.stuckMs);
  }
}

const sendingLater = <S>({ stream }: SendingTask<S>): Sending<S> => ({ stream, changes: CHANGES.busy });

function latestOf<S>({ key, stream, submitted }: SendingTask<S>): SubmittedTransaction {
  const latest = submitted(stream).at(-1);
  if (!latest) throw new Error(`${key} has no submitted transaction.`);
  return latest;
}

function prepareSigning<S>(task: SendingTask<S>, above?: string) {
  const { key, connection } = task;
  const call = task.call();
  let { stream } = task;
  const write = async (signed: SignedTransaction) => {
    stream = await task.record(stream, signed);
    return latestOf({ ...task, stream }).tx;
  };
  const sign = (nonce: number) => connection.chain.sign(call, nonce, above);
  return { signing: { payment: key, sign, write }, recordedStream: () => stream };
}
