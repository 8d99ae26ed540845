import type { Claims } from '#libs/claims/claims.js';
import {
  PaymentApplied,
  PaymentExpired,
  PaymentRefused,
  PaymentSettled,
  PaymentSubmitted,
  type Submitted,
} from '#libs/streams/payment.js';
import type { Clock } from '#libs/kernel/clock.js';
import { TransactionRejected, type Chain, type SignedTransaction } from './chain.port.js';
import { acceptedOf, authorizationOf, type Ledger, type Record } from './ledger.js';
import { look } from './look.js';
import type { Observation, Step } from './machine.js';
import type { Effect, Settled } from './purchase.js';
import type { Relayer } from './relayer.js';
import { OVERTAKEN, reserve } from './reserve.js';
import type { Timing } from './timing.js';

/** A payment under way: what is written down, and what this drive has seen. */
export interface Progress {
  readonly record: Record;
  readonly seen: Observation;
}

export interface Rig {
  readonly chain: Chain;
  readonly relayer: Relayer;
}

export interface PerformParts {
  readonly ledger: Ledger;
  readonly claims: Claims;
  readonly clock: Clock;
  readonly timing: Timing;
  /** The chain of a rail and the account that sends there. */
  readonly rigOf: (rail: string) => Rig;
  readonly effectOf: (endpoint: string) => Effect;
}

/** Look again after a pause. */
const AGAIN = { status: 'unconfirmed' } as const;

/** Does what `nextStep` says. Whatever touches the world is written down first; whatever is in doubt is asked for. */
export class Performer {
  constructor(private readonly parts: PerformParts) {}

  async perform(step: Step, progress: Progress): Promise<Progress> {
    switch (step.do) {
      case 'claim':
        return this.claim(progress);
      case 'look':
        return this.look(progress);
      case 'submit':
        return this.submit(progress);
      case 'broadcast':
        return this.broadcast(progress);
      case 'replace':
        return this.replace(progress);
      case 'settle':
        return this.write(progress, payment => PaymentSettled({ payment, tx: step.tx, block: step.block }));
      case 'refuse':
        return this.write(progress, payment => PaymentRefused({ payment, reason: step.reason }));
      case 'expire':
        return this.expire(progress);
      case 'apply':
        return this.apply(progress);
      case 'wait':
      case 'done':
        return progress;
      default:
        step satisfies never;
        return progress;
    }
  }

  private async claim({ record, seen }: Progress): Promise<Progress> {
    const { claims, ledger } = this.parts;
    const reason = (await reserve(claims, ledger, record, ledger.contextOf(record))) ?? (await this.overtaken(record));
    return { record, seen: { ...seen, claims: reason === null ? 'had' : { lost: reason } } };
  }

  /** Who paid for the same may have been through between the checks of this request and its claims. */
  private async overtaken(record: Record): Promise<string | null> {
    const accepted = acceptedOf(record);
    const isOver = await this.parts.effectOf(accepted.data.endpoint).isOvertaken?.(accepted);
    return isOver ? OVERTAKEN : null;
  }

  private async look({ record, seen }: Progress): Promise<Progress> {
    const { clock, timing } = this.parts;
    const looked = await look({ chain: this.rig(record).chain, clock, timing, record, known: seen.transaction });
    return { record, seen: { ...seen, ...looked } };
  }

  private async submit({ record, seen }: Progress): Promise<Progress> {
    const { signing, written } = this.signing(record);
    const here = await this.rig(record).relayer.submit(signing);
    if (!here) return { record, seen: { ...seen, seen: AGAIN } };
    return { record: written(), seen: { ...seen, transaction: 'unsent' } };
  }

  /** The same raw transaction, however often: whether it is the first time does not matter. */
  private async broadcast({ record, seen }: Progress): Promise<Progress> {
    const { chain, relayer } = this.rig(record);
    const { payment } = acceptedOf(record).data;
    const newest = newestOf(record);
    try {
      await chain.broadcast(rawOf(newest));
    } catch (error) {
      relayer.failed(payment, error instanceof TransactionRejected);
      if (!(error instanceof TransactionRejected)) throw error;
      return { record, seen: { ...seen, seen: null, transaction: 'rejected' } };
    }
    relayer.taken(payment, newest.tx);
    return { record, seen: { ...seen, seen: null, transaction: 'sent' } };
  }

  /**
   * A transaction that no block takes: lost by the node, it is sent again; behind a nonce that nobody fills, it is
   * signed at that one; waiting, it is signed at its own nonce with a higher fee.
   */
  private async replace(progress: Progress): Promise<Progress> {
    const { chain, relayer } = this.rig(progress.record);
    const { relayer: account, relayer_nonce: nonce, fee } = newestOf(progress.record);
    if (account.toLowerCase() !== chain.relayer.toLowerCase()) return this.submit(progress);
    const pending = await chain.nextRelayerNonce();
    if (pending === nonce) return this.again(await this.broadcast(progress));
    const { signing, written } = this.signing(progress.record, pending > nonce ? fee : undefined);
    if (!(await relayer.resubmit(signing, Math.min(pending, nonce)))) return this.again(progress);
    return this.again(await this.broadcast({ ...progress, record: written() }));
  }

  private again({ record, seen }: Progress): Progress {
    return { record, seen: { ...seen, seen: AGAIN } };
  }

  private async expire(progress: Progress): Promise<Progress> {
    const { chain } = this.rig(progress.record);
    const { from, nonce, validBefore } = authorizationOf(acceptedOf(progress.record));
    const { block, timestamp, used } = await chain.observeConfirmed(from, nonce);
    if (used || BigInt(timestamp) <= BigInt(validBefore))
      return { ...progress, seen: { ...progress.seen, seen: null } };
    return this.write(progress, payment => PaymentExpired({ payment, block }));
  }

  private async apply(progress: Progress): Promise<Progress> {
    const { record } = progress;
    const { endpoint, muse_id } = acceptedOf(record).data;
    const result = await this.parts
      .effectOf(endpoint)
      .apply(record.state as Settled, this.parts.ledger.contextOf(record));
    const reason = result.outcome === 'void' ? result.reason : null;
    const applied = (payment: string) =>
      PaymentApplied({ payment, muse_id, endpoint, outcome: result.outcome, reason });
    return this.write(progress, applied);
  }

  private async write(
    { record, seen }: Progress,
    fact: (payment: string) => Parameters<Ledger['append']>[1],
  ): Promise<Progress> {
    return { record: await this.parts.ledger.append(record, fact(acceptedOf(record).data.payment)), seen };
  }

  /** What the relayer needs to sign and write down, and the stream once it has. */
  private signing(record: Record, above?: string) {
    const { payment, rail } = acceptedOf(record).data;
    const { signature, ...authorization } = authorizationOf(acceptedOf(record));
    const { chain } = this.parts.rigOf(rail);
    let extended = record;
    const write = async (signed: SignedTransaction) => {
      extended = await this.parts.ledger.append(record, submittedFact(payment, signed));
      return newestOf(extended).tx;
    };
    const sign = (nonce: number) => chain.sign(authorization, signature, nonce, above);
    return { signing: { payment, sign, write }, written: () => extended };
  }

  private rig(record: Record): Rig {
    return this.parts.rigOf(acceptedOf(record).data.rail);
  }
}

function submittedFact(payment: string, { tx, raw, relayer, relayerNonce, fee }: SignedTransaction) {
  return PaymentSubmitted({ payment, tx, raw, relayer, relayer_nonce: relayerNonce, fee });
}

function newestOf({ state, stream }: Record): Submitted {
  const newest = state.status === 'unknown' ? undefined : state.submitted.at(-1);
  if (!newest) throw new Error(`Nothing was submitted for ${stream}.`);
  return newest;
}

function rawOf({ raw, tx }: Submitted): string {
  if (raw === null) throw new Error(`The key that transaction ${tx} is held with is gone.`);
  return raw;
}
