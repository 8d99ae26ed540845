import type { Thing } from '#libs/claims/claim-streams.js';
import { type DeliveredHire, Hire, type KnownHire, hasDelivery } from '#libs/streams/hire.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { posterId } from '#libs/kernel/house.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';

/** Whom every event of a hire names. */
export function partiesOf({ hire, role, poster, worker }: KnownHire) {
  return { hire, role, poster, worker };
}

/** A hire that exists; the rest of a rule is about what it is. */
export function known(hire: Hire): asserts hire is KnownHire {
  if (hire.status === 'unknown') throw new Refusal('not_found', 'There is no such hire.', { field: 'hire' });
}

export function asPoster(hire: KnownHire, { actor }: Pick<Context, 'actor'>): void {
  rule(posterId(hire.poster) === actor, 'not_the_poster', 'Only the poster of the job does this.');
}

export function asWorker(hire: KnownHire, { actor }: Context): void {
  rule(hire.worker === actor, 'not_the_worker', 'Only the worker of the hire does this.');
}

export function asParty(hire: KnownHire, { actor }: Context): void {
  rule(
    posterId(hire.poster) === actor || hire.worker === actor,
    'not_a_party',
    'Only the poster and the worker of a hire do this.',
  );
}

/** A hire with something delivered. */
export function withDelivery(hire: KnownHire): asserts hire is DeliveredHire {
  rule(hire.status !== 'ended', 'hire_ended', 'The hire was ended.');
  rule(hasDelivery(hire), 'not_delivered', 'Nothing has been delivered yet.');
}

/** Where the caller says which delivery it looked at, that must be the latest one. */
export function sameDelivery({ delivery }: DeliveredHire, digest: string | undefined): void {
  const same = !digest || digest === delivery.digest;
  rule(same, 'delivery_changed', 'The latest delivery has another digest.', { field: 'digest' });
}

/** What a payment of a hire's wage claims. */
export const wageThing = (hire: number): Thing => ({ kind: 'purchase', value: `pay/${hire}` });

/**
 * Carries out what decides in a hire's own stream. `before` is asked once that is decided, and refuses what the stream
 * alone cannot know of.
 */
export function onHire(
  journal: Journal,
  context: Context,
  hire: string,
  decide: (hire: Hire) => Fact[],
  before?: () => Promise<void>,
) {
  return carryOut(journal, context, { writes: Hire.of(Number(hire)), decide, claim: before });
}
