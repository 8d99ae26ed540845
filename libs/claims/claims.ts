import { Claimed } from '#libs/domain/claim.js';
import type { EventOf } from '#libs/kernel/event-type.js';
import { ClaimLost, Muse } from '#libs/domain/muse.js';
import { Payment, hasEndedWithoutEffect, isOpenPayment } from '#libs/domain/payment.js';
import { newEvents } from '#libs/event-log/execute-command.js';
import { createStreamSource, type Journal, type LoadedStream } from '#libs/event-log/journal.js';
import { RevisionConflict } from '#libs/event-log/event-log.port.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import type { CommandContext, Entity } from '#libs/kernel/decide.js';
import type { Event, NewEvent, Position } from '#libs/kernel/event.js';
import { deriveEventId } from '#libs/kernel/ids.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { ClaimStreams, ClaimSubject } from './claim-streams.js';

export const UNFINISHED_CLAIM_MS = 30 * SECOND_MS;
const ATTEMPTS_MAX = 20;

export interface Claimant {
  readonly owner: string;
  readonly finishes: { readonly event: string } | { readonly payment: string };
}

type ClaimEvent = EventOf<typeof Claimed>;
const LastClaim: Entity<ClaimEvent | null> = { initial: null, evolve: (_state, event: Event) => event as ClaimEvent };

/**
 * Enforces uniqueness: the last event in a subject's stream names the claimant (docs/architecture.md, "Claims"). A
 * claim is valid while its owner holds the subject, its payment is open, or it is younger than `UNFINISHED_CLAIM_MS`.
 */
export class Claims {
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
  ): Promise<ClaimEvent | null> {
    const stream = this.streams.of(subject);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const claim = await this.journal.load(createStreamSource(stream, LastClaim), attempt === 1 ? asOf : undefined);
      const last = claim.state;
      if (last !== null && attempt === 1 && asOf !== undefined) continue;
      const isOwn = last !== null && isMadeBy(last, claimant);
      if (isOwn && !(await this.wasLost(last))) return null;
      if (last !== null && !isOwn) {
        if (await this.isValid(last, claimant.owner)) return last;
        if (isForeign(last, claimant) && !(await this.fence(last, context))) continue;
      }
      if (await this.write(claim, subject, claimant, context)) return null;
    }
    throw new Refusal('busy', 'Too many requests compete for the same name, key or wallet. Try again in a second.', {
      retryAfter: 1,
    });
  }

  async findValid(subject: ClaimSubject, owner: string | null): Promise<ClaimEvent | null> {
    const { state } = await this.journal.load(createStreamSource(this.streams.of(subject), LastClaim));
    return state !== null && (await this.isValid(state, owner)) ? state : null;
  }

  async findLast(subject: ClaimSubject): Promise<ClaimEvent | null> {
    return (await this.journal.load(createStreamSource(this.streams.of(subject), LastClaim))).state;
  }

  /**
   * Reads the payment before the owner, so that a payment ending in between shows in the owner's state. A pending claim
   * blocks only others: a muse's own requests are ordered by its stream.
   */
  private async isValid(claim: ClaimEvent, requester: string | null): Promise<boolean> {
    if (claim.data.payment !== null) {
      const { state: payment } = await this.journal.load(Payment.source(claim.data.payment));
      if (isOpenPayment(payment)) return true;
      if (hasEndedWithoutEffect(payment)) return false;
      if (claim.data.kind === 'request') return true;
      if (claim.data.kind === 'purchase') return false;
    }
    const owner = await this.owner(claim);
    if (this.streams.heldBy(owner.state).includes(claim.stream)) return true;
    const isFinished = hasEvent(owner, claim.data.event) || owner.state.claimsLost.has(claim.id);
    const isPending = claim.data.payment === null && !isFinished && this.clock.now() - claim.at < UNFINISHED_CLAIM_MS;
    return isPending && claim.data.owner !== requester;
  }

  private owner(claim: ClaimEvent): Promise<LoadedStream<Muse>> {
    return this.journal.load(createStreamSource(claim.data.owner, Muse));
  }

  private async wasLost(claim: ClaimEvent): Promise<boolean> {
    return claim.data.payment === null && (await this.owner(claim)).state.claimsLost.has(claim.id);
  }

  /**
   * Marks a claim as lost in its owner's stream, so that a delayed process that still tries to finish it conflicts.
   * Returns false if the stream has moved.
   */
  private async fence(claim: ClaimEvent, context: CommandContext): Promise<boolean> {
    const owner = await this.owner(claim);
    if (owner.state.claimsLost.has(claim.id)) return true;
    if (await this.isValid(claim, null)) return false;
    const service: CommandContext = {
      ...context,
      actor: 'service',
      requestKey: `claim-lost/${claim.id}`,
      cause: claim.id,
      decidedBy: 'lose-claim@1',
      authorization: { mode: 'service', reason: 'an unfinished claim was taken over' },
      basedOn: { [claim.stream]: claim.revision },
    };
    return this.append(owner, newEvents([ClaimLost({ claim: claim.id })], owner.stream, service));
  }

  private write(
    claim: LoadedStream<ClaimEvent | null>,
    { kind }: ClaimSubject,
    { owner, finishes }: Claimant,
    context: CommandContext,
  ): Promise<boolean> {
    const event = 'event' in finishes ? finishes.event : null;
    const payment = 'payment' in finishes ? finishes.payment : null;
    const [envelope] = newEvents([Claimed({ kind, owner, event, payment })], claim.stream, context);
    // A request may claim a subject again after it lost it, so the ordinal counts the events of the claim's stream.
    const id = deriveEventId(context.requestKey, claim.stream, Claimed.type, claim.ids.size);
    return this.append(claim, [
      {
        ...envelope!,
        id,
        decided_by: 'claim@1',
        authorization: { mode: 'service', reason: 'claimed for a request' },
      },
    ]);
  }

  private async append(loaded: LoadedStream<unknown>, events: NewEvent[]): Promise<boolean> {
    try {
      await this.journal.append(loaded.stream, loaded.revision, events);
      return true;
    } catch (error) {
      if (error instanceof RevisionConflict) return false;
      throw error;
    }
  }
}

const hasEvent = ({ ids }: LoadedStream<unknown>, event: string | null) =>
  event !== null && ids.revision(event) !== undefined;

const isForeign = ({ data }: ClaimEvent, { owner }: Claimant) => data.payment === null && data.owner !== owner;

function isMadeBy(claim: ClaimEvent, { owner, finishes }: Claimant): boolean {
  if (claim.data.owner !== owner) return false;
  return 'event' in finishes ? claim.data.event === finishes.event : claim.data.payment === finishes.payment;
}
