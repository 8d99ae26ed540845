import { needed, optional } from '#libs/validation/request-fields.js';
import * as c from '#libs/values/values.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { type DeliveredHire, Hire, type KnownHire, hasDelivery, isPartyOf } from './domain/hire.js';
import { callerOf } from '#libs/features/identity/domain/muse-rules.js';
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
  reads: callerOf,
  repair: async (
    { hire }: { readonly hire: number },
    { unfinished }: { readonly unfinished: UnfinishedHires },
    code: Refusal['code'],
  ) => code === 'not_found' && unfinished.complete(hire),
};

export function assertHireExists(hire: Hire): asserts hire is KnownHire {
  if (hire.status === 'unknown')
    throw new Refusal('not_found', '`hire` must be the id of an existing hire.', { field: 'hire' });
}

/** Returns the poster. `ids`: the caller and its earlier identity, for which it acts. */
export function actAsPoster(hire: KnownHire, ids: readonly string[]): string {
  const poster = resolvePosterId(hire.poster);
  rule(ids.includes(poster), 'not_the_poster', 'Only the poster of the job can do this.');
  assertNotWithItself(hire, ids);
  return poster;
}

export function assertWorker(hire: KnownHire, ids: readonly string[]): void {
  rule(ids.includes(hire.worker), 'not_the_worker', 'Only the worker of the hire can do this.');
  assertNotWithItself(hire, ids);
}

/** Returns the party that the caller acts as. */
export function actAsParty(hire: KnownHire, ids: readonly string[]): string {
  const party = ids.find(id => isPartyOf(hire, id));
  if (party === undefined) throw new Refusal('not_a_party', 'Only the poster and the worker of the hire can do this.');
  return party;
}

/** A link makes poster and worker one agent, which has nothing left to do with itself. */
export function assertNotWithItself(hire: KnownHire, ids: readonly string[]): void {
  const isWithItself = ids.includes(resolvePosterId(hire.poster)) && ids.includes(hire.worker);
  rule(!isWithItself, 'with_itself', 'Poster and worker of this hire are linked: the two are one agent.');
}

export function assertDelivered(hire: KnownHire): asserts hire is DeliveredHire {
  rule(hire.status !== 'ended', 'hire_ended', 'This hire has ended.');
  rule(hasDelivery(hire), 'not_delivered', 'This hire has no delivery yet.');
}

/** `digest` names the version that the caller looked at. */
export function assertSameDelivery({ delivery }: DeliveredHire, digest: string | undefined): void {
  const isSame = !digest || digest === delivery.digest;
  rule(
    isSame,
    'delivery_changed',
    '`digest` is not the digest of the latest delivery. Check that delivery, then send its digest.',
    {
      field: 'digest',
    },
  );
}
