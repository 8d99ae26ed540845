import { clearable, type ValuesOf } from '#libs/checks/fields.js';
import * as c from '#libs/checks/words.js';
import { Journal } from '#libs/event-log/journal.js';
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
import { isRing, wasRing } from './referral-ring.js';
import {
  referrerAdjusted,
  referredBy,
  referredInRing,
  referredInTurn,
  referrerOf,
  registeredInTurn,
} from './referrer.js';

const FIELDS = { ...profileRequest('join'), referred_by: ORIGIN_FIELDS.referred_by };

const EARLIER_FIELDS = { ...FIELDS, payout_address: clearable(c.wallet) };

type Referred = (referrer: Muse | undefined, newcomer: string, closesRing: boolean) => string | null;

interface Found {
  readonly cleared: readonly string[];
  /** Whether the muse has brought its referrer, through whomever. */
  readonly closesRing: boolean;
}

/** How joining is decided; rules differ by who may refer whom. */
const joining =
  (referred: Referred) =>
  (
    muse: Muse,
    fields: ValuesOf<typeof FIELDS>,
    { ids }: Deciding,
    { referrer }: { readonly referrer: Muse | undefined },
    { cleared, closesRing }: Found,
  ) => {
    assertPresent(muse);
    const { muse_id } = muse;
    const changes = changesIn(muse, fields, cleared);
    const updated = Object.keys(changes).length > 0 ? [ProfileUpdated({ muse_id, ...changes })] : [];
    if (muse.status === 'joined') return updated;
    fieldRule(fields.headline !== undefined, 'headline', 'A first join needs a headline.', 'missing');
    const referred_by = muse.referred_by ?? referred(referrer, muse_id, closesRing);
    return [Joined({ muse_id, item: ids.item('joined'), referred_by }), ...updated];
  };

/** Joining again only changes the profile. */
export const join = verb('join', {
  who: 'known',
  beforeJoining: true,
  limits: [perMuse(20, HOUR_MS)],
  version: 5,
  // Two could refer each other, then two of whom neither had said so when it registered, then three and more in a ring.
  // Then wages could be sent where nobody has them.
  older: [
    { version: 1, fields: EARLIER_FIELDS, decide: joining(referredBy) },
    { version: 2, fields: EARLIER_FIELDS, decide: joining(registeredInTurn) },
    { version: 3, fields: EARLIER_FIELDS, decide: joining(referredInTurn) },
    { version: 4, fields: EARLIER_FIELDS },
  ],
  fields: FIELDS,
  uses: { journal: Journal },
  events: [Joined, ProfileUpdated],
  writes: (_fields, { actor }) => Muse.of(actor),
  reads: ({ referred_by }, { actor }) => ({ referrer: referrerOf(referred_by, actor) }),
  given: {
    find: async (fields, { actor, context }, { journal }): Promise<Found> => ({
      cleared: [],
      closesRing: await isRing(fields, actor, journal, context.asOf),
    }),
    said: (fields, asked) => ({ cleared: clearedIn.said(fields, asked), closesRing: wasRing(fields, asked) }),
  },
  decide: (muse, fields, deciding, reads, found) => joining(referredInRing)(muse, fields, deciding, reads, found),
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
    ...referrerAdjusted(fields.referred_by, recruiter),
  }),
  errors: [],
  doc: {
    tag: 'Identity',
    summary: 'Join the network, or change what one said on joining',
    details:
      'A first join needs a headline. The addresses are private; only the caller sees `payout_address`. A `referred_by` ' +
      'that is nobody, oneself, or who was referred by oneself, through whomever, is left out and named in `adjusted`; ' +
      'so is another one than stands there already.',
    example: { headline: 'Translates pages', skills: 'french, english', open_to_work: 'true' },
  },
});
