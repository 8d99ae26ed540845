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

/** How long a claim stands that no payment finishes and whose event is not written yet. */
export const UNFINISHED_CLAIM_MS = 30 * SECOND_MS;
/** How often a claim is looked at again while others take it at the same moment. */
const ATTEMPTS_MAX = 20;

/** Who wants the thing, and what will finish the claim: an event in the owner's stream, or a payment. */
export interface Claimant {
  /** The stream whose state holds the thing once the claim is finished. */
  readonly owner: string;
  readonly finishes: { readonly event: string } | { readonly payment: string };
}

type ClaimEvent = EventOf<typeof Claimed>;
const LastClaim: Entity<ClaimEvent | null> = { initial: null, evolve: (_state, event: Event) => event as ClaimEvent };

/**
 * What must be unique is claimed: each thing has a stream of its own, whose last event says who wants it. Claims are
 * never released (docs/architecture.md, "Claims"). A claim stands while the state of its owner holds the thing, or
 * while it is unfinished: its payment is open, or it is younger than `UNFINISHED_MS`.
 */
export class Claims {
  constructor(
    private readonly journal: Journal,
    private readonly streams: ClaimStreams,
    private readonly clock: Clock,
  ) {}

  /**
   * Claims a thing. Answers null where the claimant has it now, else the claim that stands in the way. `asOf`: a moment
   * that will do to find that nobody has claimed it; who has since is met at the append.
   */
  async acquire(
    thing: ClaimSubject,
    claimant: Claimant,
    context: CommandContext,
    asOf?: Position,
  ): Promise<ClaimEvent | null> {
    const stream = this.streams.of(thing);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const claim = await this.journal.load(createStreamSource(stream, LastClaim), attempt === 1 ? asOf : undefined);
      const last = claim.state;
      if (last !== null && attempt === 1 && asOf !== undefined) continue;
      const mine = last !== null && isMadeBy(last, claimant);
      if (mine && !(await this.wasLost(last))) return null;
      if (last !== null && !mine) {
        if (await this.isValid(last, claimant.owner)) return last;
        if (isForeign(last, claimant) && !(await this.fence(last, context))) continue;
      }
      if (await this.write(claim, thing, claimant, context)) return null;
    }
    throw new Refusal('busy', 'Many others want the same thing right now.', { retryAfter: 1 });
  }

  /** The claim on a thing that stands now in the way of a muse's stream (`owner`), or of anybody (null); or null. */
  async findValid(thing: ClaimSubject, owner: string | null): Promise<ClaimEvent | null> {
    const { state } = await this.journal.load(createStreamSource(this.streams.of(thing), LastClaim));
    return state !== null && (await this.isValid(state, owner)) ? state : null;
  }

  /** The last claim that was made on a thing, whether it stands or not. */
  async findLast(thing: ClaimSubject): Promise<ClaimEvent | null> {
    return (await this.journal.load(createStreamSource(this.streams.of(thing), LastClaim))).state;
  }

  /**
   * The payment is read before the owner's state: what ends between the two reads is then in the state that is read.
   * What a muse has only begun to claim is in the way of others alone: its own stream takes one event after the other, so
   * whichever of its requests comes last finds what the first one wrote.
   */
  private async isValid(claim: ClaimEvent, asker: string | null): Promise<boolean> {
    if (claim.data.payment !== null) {
      const { state: payment } = await this.journal.load(Payment.source(claim.data.payment));
      if (isOpenPayment(payment)) return true;
      if (hasEndedWithoutEffect(payment)) return false;
      if (claim.data.kind === 'request') return true;
      if (claim.data.kind === 'purchase') return false;
    }
    const owner = await this.owner(claim);
    if (this.streams.heldBy(owner.state).includes(claim.stream)) return true;
    const finished = hasEvent(owner, claim.data.event) || owner.state.claimsLost.has(claim.id);
    const begun = claim.data.payment === null && !finished && this.clock.now() - claim.at < UNFINISHED_CLAIM_MS;
    return begun && claim.data.owner !== asker;
  }

  private owner(claim: ClaimEvent): Promise<LoadedStream<Muse>> {
    return this.journal.load(createStreamSource(claim.data.owner, Muse));
  }

  private async wasLost(claim: ClaimEvent): Promise<boolean> {
    return claim.data.payment === null && (await this.owner(claim)).state.claimsLost.has(claim.id);
  }

  /**
   * Writes into the owner's stream that its claim is lost. A process that slept and still means to finish the claim
   * appends at an older revision, and conflicts. Answers false where the owner's stream has moved meanwhile.
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
    // A request can claim a thing a second time after it has lost it, so the ordinal counts the events of the claim's
    // stream.
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

/** Whether an event stands in a stream. */
const hasEvent = ({ ids }: LoadedStream<unknown>, event: string | null) =>
  event !== null && ids.revision(event) !== undefined;

/** Whether another muse made it, and no payment finishes it: that muse is told before the thing is taken over. */
const isForeign = ({ data }: ClaimEvent, { owner }: Claimant) => data.payment === null && data.owner !== owner;

function isMadeBy(claim: ClaimEvent, { owner, finishes }: Claimant): boolean {
  if (claim.data.owner !== owner) return false;
  return 'event' in finishes ? claim.data.event === finishes.event : claim.data.payment === finishes.payment;
}
