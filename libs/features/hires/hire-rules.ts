import { needed, optional } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import {
  type DeliveredHire,
  type Hire,
  type KnownHire,
  hasDelivery,
  isPartyOf,
} from '#libs/features/hires/domain/hire.js';

export const hireId = needed(c.id, 'The hire');
export const deliveryDigest = optional(c.digest, 'Of the delivery that was looked at: another latest one is refused');

export const EXAMPLE_HIRE = '123456789012';

export function assertHireExists(hire: Hire): asserts hire is KnownHire {
  if (hire.status === 'unknown') throw new Refusal('not_found', 'There is no such hire.', { field: 'hire' });
}

export function assertPoster(hire: KnownHire, actor: string): void {
  rule(resolvePosterId(hire.poster) === actor, 'not_the_poster', 'Only the poster of the job does this.');
}

export function assertWorker(hire: KnownHire, actor: string): void {
  rule(hire.worker === actor, 'not_the_worker', 'Only the worker of the hire does this.');
}

export function assertParty(hire: KnownHire, actor: string): void {
  rule(isPartyOf(hire, actor), 'not_a_party', 'Only the poster and the worker of a hire do this.');
}

export function assertDelivered(hire: KnownHire): asserts hire is DeliveredHire {
  rule(hire.status !== 'ended', 'hire_ended', 'The hire was ended.');
  rule(hasDelivery(hire), 'not_delivered', 'Nothing has been delivered yet.');
}

/** `digest` names the version that the caller looked at. */
export function assertSameDelivery({ delivery }: DeliveredHire, digest: string | undefined): void {
  const same = !digest || digest === delivery.digest;
  rule(same, 'delivery_changed', 'The latest delivery has another digest.', { field: 'digest' });
}
