import { needed, optional } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { type DeliveredHire, Hire, type KnownHire, hasDelivery, isPartyOf } from '#libs/features/hires/domain/hire.js';
import { UnfinishedHires } from './complete-hire.js';

export const hireId = needed(c.id, 'The id of the hire');
export const deliveryDigest = optional(
  c.digest,
  'The digest of the delivery you looked at; refused if a newer version exists',
);

export const EXAMPLE_HIRE = '123456789012';

/** Common part of the commands on a hire. */
export const onHire = {
  uses: { unfinished: UnfinishedHires },
  writes: ({ hire }: { readonly hire: number }) => Hire.source(hire),
  repair: async (
    { hire }: { readonly hire: number },
    { unfinished }: { readonly unfinished: UnfinishedHires },
    code: Refusal['code'],
  ) => code === 'not_found' && unfinished.complete(hire),
};

export function assertHireExists(hire: Hire): asserts hire is KnownHire {
  if (hire.status === 'unknown') throw new Refusal('not_found', 'There is no such hire.', { field: 'hire' });
}

export function assertPoster(hire: KnownHire, actor: string): void {
  rule(resolvePosterId(hire.poster) === actor, 'not_the_poster', 'Only the poster of the job can do this.');
}

export function assertWorker(hire: KnownHire, actor: string): void {
  rule(hire.worker === actor, 'not_the_worker', 'Only the worker of the hire can do this.');
}

export function assertParty(hire: KnownHire, actor: string): void {
  rule(isPartyOf(hire, actor), 'not_a_party', 'Only the poster and the worker of the hire can do this.');
}

export function assertDelivered(hire: KnownHire): asserts hire is DeliveredHire {
  rule(hire.status !== 'ended', 'hire_ended', 'This hire has ended.');
  rule(hasDelivery(hire), 'not_delivered', 'This hire has no delivery yet.');
}

/** `digest` names the version that the caller looked at. */
export function assertSameDelivery({ delivery }: DeliveredHire, digest: string | undefined): void {
  const isSame = !digest || digest === delivery.digest;
  rule(isSame, 'delivery_changed', 'The latest delivery has another digest. Look at it, then send its digest.', {
    field: 'digest',
  });
}
