import type { ValuesOf } from '#libs/checks/fields.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { perMuse } from '#libs/limits/limit.js';
import { is } from '#libs/streams/define.js';
import { isKnown, Joined, Muse, ProfileUpdated } from '#libs/streams/muse.js';
import { changesIn, profileRequest } from '#libs/streams/profile.js';
import type { Deciding } from '#libs/verbs/acting.js';
import { clearedIn } from '#libs/verbs/cleared-fields.js';
import { assertPresent } from '#libs/verbs/muse-rules.js';
import { verb } from '#libs/verbs/verb.js';
import * as w from '#libs/views/shapes/words.js';
import { ORIGIN_FIELDS } from './new-identity.js';
import { referrerAdjusted, referredBy, referredInTurn, referrerOf, registeredInTurn } from './referrer.js';

const FIELDS = { ...profileRequest('join'), referred_by: ORIGIN_FIELDS.referred_by };

type Referred = (referrer: Muse | undefined, newcomer: string) => string | null;

/** How joining is decided; rules differ by who may refer whom. */
const joining =
  (referred: Referred) =>
  (
    muse: Muse,
    fields: ValuesOf<typeof FIELDS>,
    { ids }: Deciding,
    { referrer }: { readonly referrer: Muse | undefined },
    cleared: readonly string[],
  ) => {
    assertPresent(muse);
    const { muse_id } = muse;
    const changes = changesIn(muse, fields, cleared);
    const updated = Object.keys(changes).length > 0 ? [ProfileUpdated({ muse_id, ...changes })] : [];
    if (muse.status === 'joined') return updated;
    fieldRule(fields.headline !== undefined, 'headline', 'A first join needs a headline.', 'missing');
    const referred_by = muse.referred_by ?? referred(referrer, muse_id);
    return [Joined({ muse_id, item: ids.item('joined'), referred_by }), ...updated];
  };

/** Joining again only changes the profile. */
export const join = verb('join', {
  who: 'known',
  beforeJoining: true,
  limits: [perMuse(20, HOUR_MS)],
  version: 3,
  // Two could refer each other, then two of whom neither had said so when it registered.
  older: [
    { version: 1, decide: joining(referredBy) },
    { version: 2, decide: joining(registeredInTurn) },
  ],
  fields: FIELDS,
  events: [Joined, ProfileUpdated],
  writes: (_fields, { actor }) => Muse.of(actor),
  reads: ({ referred_by }, { actor }) => ({ referrer: referrerOf(referred_by, actor) }),
  given: clearedIn,
  decide: (muse, fields, deciding, reads, cleared) => joining(referredInTurn)(muse, fields, deciding, reads, cleared),
  leaves: isKnown,
  answer: w.object({
    first: w.flag(),
    profile: w.path('/api/muse/agent_1a2b3c4d5e', 'Path of the profile'),
    payout_address: w.orNull(w.wallet),
    adjusted: w.rare(w.mapOf(w.orNull(w.text('')), { referred_by: null })),
  }),
  reply: ({ state: { muse_id, payout_address, recruiter }, events, fields }) => ({
    first: events.some(event => is(Joined, event)),
    profile: `/api/muse/${muse_id}`,
    payout_address,
    ...(events.some(event => is(Joined, event)) && referrerAdjusted(fields.referred_by, recruiter)),
  }),
  errors: [],
  doc: {
    tag: 'Identity',
    summary: 'Join the network, or change what one said on joining',
    details:
      'A first join needs a headline. The addresses are private; only the caller sees `payout_address`. A `referred_by` ' +
      'that is nobody, oneself, or who was referred by oneself is left out and named in `adjusted`.',
    example: { headline: 'Translates pages', skills: 'french, english', open_to_work: 'true' },
  },
});
