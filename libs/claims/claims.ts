import { Claim, Claimed, type LastClaim } from '#libs/domain/claim.js';
import { ClaimLost, Muse } from '#libs/domain/muse.js';
import { Payment, hasEndedWithoutEffect, isOpenPayment } from '#libs/domain/payment.js';
import { newEvents } from '#libs/event-log/execute-command.js';
import { createStreamSource, type Journal, type LoadedStream } from '#libs/event-log/journal.js';
import { RevisionConflict } from '#libs/event-log/event-log.port.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { type CommandContext, systemContext } from '#libs/kernel/decide.js';
import type { Event, NewEvent, Position } from '#libs/kernel/event.js';
import { deriveEventId, formatDecisionKey } from '#libs/kernel/ids.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { ClaimStreams, ClaimSubject } from './claim-streams.js';

export const UNFINISHED_CLAIM_MS = 30 * SECOND_MS;
const ATTEMPTS_MAX = 20;

interface Claimant {
  readonly owner: string;
  readonly finishes: { readonly event: string } | { readonly payment: string };
}

/** Claim that excludes another one, and the subject that both name. */
interface ClaimConflict {
  readonly subject: ClaimSubject;
  readonly claim: LastClaim;
}

/**
 * Enforces uniqueness: the last event in a subject's stream names the claimant (docs/architecture.md, "Claims"). A
 * claim is valid while its owner holds the subject, its payment is open, or it is younger than `UNFINISHED_CLAIM_MS`.
 */
export class Claims {
  /** Last acquisition of each stream in this process. Concurrent ones would only conflict. */
  private readonly tails = new Map<string, Promise<unknown>>();

  constructor(
    private readonly journal: Journal,
    private readonly streams: ClaimStreams,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns null if the claimant holds the subject now, else the conflicting claim. `asOf` may be stale: a later claim
   * fails the append.
   */
  async acquire(
    subject: ClaimSubject,
    claimant: Claimant,
    context: CommandContext,
    asOf?: Position,
  ): Promise<LastClaim | null> {
    return (await this.acquireAll([subject], claimant, context, asOf))?.claim ?? null;
  }

  /** As `acquire`, for subjects of one stream: one append claims all of them or none. */
  async acquireAll(
    subjects: readonly ClaimSubject[],
    claimant: Claimant,
    context: CommandContext,
    asOf?: Position,
  ): Promise<ClaimConflict | null> {
    const stream = this.streams.of(subjects[0]!);
    const acquire = () => this.acquireIn(stream, subjects, claimant, context, asOf);
    const result = (this.tails.get(stream) ?? Promise.resolve()).then(acquire, acquire);
    this.tails.set(stream, result);
    try {
      return await result;
    } finally {
      if (this.tails.get(stream) === result) this.tails.delete(stream);
    }
  }

  private async acquireIn(
    stream: string,
    subjects: readonly ClaimSubject[],
    claimant: Claimant,
    context: CommandContext,
    asOf?: Position,
  ): Promise<ClaimConflict | null> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const loaded = await this.journal.load(createStreamSource(stream, Claim), attempt === 1 ? asOf : undefined);
      const last = subjects.flatMap(subject => {
        const claim = loaded.state.get(this.streams.nameInStream(subject));
        return claim ? [{ subject, claim }] : [];
      });
      if (last.length > 0 && attempt === 1 && asOf !== undefined) continue;
      const verdict = await this.judge(last, claimant, context.at);
      if (verdict === 'moved') continue;
      if (typeof verdict === 'object') return verdict;
      if (verdict === 'held' && last.length === subjects.length) return null;
      if (await this.write(loaded, subjects, claimant, context)) return null;
    }
    throw new Refusal('busy', 'Too many requests compete for the same name, key or wallet. Try again in a second.', {
      retryAfter: 1,
    });
  }

  /** Returns the valid claim that excludes a request of `owner` at `at` (unix ms). */
  async findValid(
    subject: ClaimSubject,
    owner: string | null,
    asOf?: Position,
    at = this.clock.now(),
  ): Promise<LastClaim | null> {
    const claim = await this.findLast(subject, asOf);
    return claim !== null && (await this.isValid({ subject, claim }, owner, at)) ? claim : null;
  }

  async findLast(subject: ClaimSubject, asOf?: Position): Promise<LastClaim | null> {
    const { state } = await this.journal.load(createStreamSource(this.streams.of(subject), Claim), asOf);
    return state.get(this.streams.nameInStream(subject)) ?? null;
  }

  /** Returns the first valid claim of another claimant; else whether the claimant holds all of `last`. */
  private async judge(
    last: readonly ClaimConflict[],
    claimant: Claimant,
    at: number,
  ): Promise<ClaimConflict | 'held' | 'free' | 'moved'> {
    let isHeld = true;
    for (const each of last) {
      if (isMadeBy(each.claim, claimant)) {
        isHeld &&= !(await this.wasLost(each.claim));
        continue;
      }
      isHeld = false;
      if (await this.isValid(each, claimant.owner, at)) return each;
      if (isForeign(each.claim, claimant) && !(await this.fence(each, at))) return 'moved';
    }
    return isHeld ? 'held' : 'free';
  }

  /**
   * Reads the payment before the owner, so that a payment ending in between shows in the owner's state. A pending claim
   * blocks only others: a muse's own requests are ordered by its stream.
   */
  private async isValid({ subject, claim }: ClaimConflict, requester: string | null, at: number): Promise<boolean> {
    if (claim.data.payment !== null) {
      const { state: payment } = await this.journal.load(Payment.source(claim.data.payment));
      if (isOpenPayment(payment)) return true;
      if (hasEndedWithoutEffect(payment)) return false;
      if (subject.kind === 'request') return true;
      if (subject.kind === 'purchase') return false;
    }
    const owner = await this.owner(claim);
    if (this.streams.heldBy(owner.state, at).includes(claim.stream)) return true;
    const isFinished = hasEvent(owner, claim.data.event) || owner.state.claimsLost.has(claim.id);
    const isPending = claim.data.payment === null && !isFinished && this.clock.now() - claim.at < UNFINISHED_CLAIM_MS;
    return isPending && claim.data.owner !== requester;
  }

  private owner(claim: LastClaim): Promise<LoadedStream<Muse>> {
    return this.journal.load(createStreamSource(claim.data.owner, Muse));
  }

  private async wasLost(claim: LastClaim): Promise<boolean> {
    return claim.data.payment === null && (await this.owner(claim)).state.claimsLost.has(claim.id);
  }

  /**
   * Marks a claim as lost in its owner's stream, so that a delayed process that still tries to finish it conflicts.
   * Returns false if the stream has moved.
   */
  private async fence(conflict: ClaimConflict, at: number): Promise<boolean> {
    const { claim } = conflict;
    const owner = await this.owner(claim);
    if (owner.state.claimsLost.has(claim.id)) return true;
    if (await this.isValid(conflict, null, at)) return false;
    const action = { at: this.clock.now(), cause: claim.id, decidedBy: 'lose-claim@1' };
    const service = {
      ...systemContext('service', 'an unfinished claim was taken over', action),
      basedOn: { [claim.stream]: claim.revision },
    };
    return (await this.append(owner, newEvents([ClaimLost({ claim: claim.id })], owner.stream, service))) !== null;
  }

  private async write(
    loaded: LoadedStream<(typeof Claim)['initial']>,
    subjects: readonly ClaimSubject[],
    { owner, finishes }: Claimant,
    context: CommandContext,
  ): Promise<boolean> {
    const [{ kind, scope }] = subjects as [ClaimSubject];
    const event = 'event' in finishes ? finishes.event : null;
    const payment = 'payment' in finishes ? finishes.payment : null;
    const names = subjects.map(subject => this.streams.nameInStream(subject));
    const scoped = scope === undefined ? { kind } : { kind: 'muse' as const, subjects: names };
    const fact = Claimed({ owner, event, payment, ...scoped });
    const decidedBy = 'claim@1';
    const authorization = { mode: 'service', reason: 'claimed for a request' } as const;
    const [envelope] = newEvents([fact], loaded.stream, { ...context, decidedBy, authorization });
    // A request may claim a subject again after it lost it, so the ordinal counts the events of the claim's stream.
    const key = formatDecisionKey(context.cause, decidedBy);
    const id = deriveEventId(key, loaded.stream, Claimed.type, loaded.ids.size);
    const stored = await this.append(loaded, [{ ...envelope!, id }], context);
    if (stored) this.journal.cache(createStreamSource(loaded.stream, Claim), loaded, stored);
    return stored !== null;
  }

  private async append(
    loaded: LoadedStream<unknown>,
    events: NewEvent[],
    options?: Pick<CommandContext, 'hasTimeOfCause'>,
  ): Promise<Event[] | null> {
    try {
      return await this.journal.append(loaded.stream, loaded.revision, events, options);
    } catch (error) {
      if (error instanceof RevisionConflict) return null;
      throw error;
    }
  }
}

const hasEvent = ({ ids }: LoadedStream<unknown>, event: string | null) =>
  event !== null && ids.revision(event) !== undefined;

const isForeign = ({ data }: LastClaim, { owner }: Claimant) => data.payment === null && data.owner !== owner;

function isMadeBy(claim: LastClaim, { owner, finishes }: Claimant): boolean {
  if (claim.data.owner !== owner) return false;
  return 'event' in finishes ? claim.data.event === finishes.event : claim.data.payment === finishes.payment;
}
