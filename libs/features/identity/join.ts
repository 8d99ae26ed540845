import { HOUR_MS } from '#libs/kernel/clock.js';
import { fieldRule, Refusal } from '#libs/kernel/refusal.js';
import { perMuse } from '#libs/limits/limit.js';
import { is } from '#libs/streams/define.js';
import { isKnown, Joined, Muse, ProfileUpdated } from '#libs/streams/muse.js';
import { changesIn, profileRequest } from '#libs/streams/profile.js';
import { clearedIn } from '#libs/verbs/cleared-fields.js';
import { verb } from '#libs/verbs/verb.js';
import * as w from '#libs/views/shapes/words.js';
import { ORIGIN_FIELDS } from './new-identity.js';
import { referredBy, referrerOf } from './referrer.js';

/** Joining again only changes the profile. */
export const join = verb('join', {
  who: 'known',
  limits: [perMuse(20, HOUR_MS)],
  fields: { ...profileRequest('join'), referred_by: ORIGIN_FIELDS.referred_by },
  events: [Joined, ProfileUpdated],
  writes: (_fields, { actor }) => Muse.of(actor),
  reads: ({ referred_by }, { actor }) => ({ referrer: referrerOf(referred_by, actor) }),
  given: clearedIn,
  decide(muse, fields, { ids }, { referrer }, cleared) {
    if (!isKnown(muse)) throw new Refusal('unknown_muse', 'No identity has this muse_id.');
    const { muse_id } = muse;
    const changes = changesIn(muse, fields, cleared);
    const updated = Object.keys(changes).length > 0 ? [ProfileUpdated({ muse_id, ...changes })] : [];
    if (muse.status === 'joined') return updated;
    fieldRule(fields.headline !== undefined, 'headline', 'A first join needs a headline.');
    const referred_by = muse.referred_by ?? referredBy(referrer);
    return [Joined({ muse_id, item: ids.item('joined'), referred_by }), ...updated];
  },
  leaves: isKnown,
  answer: w.object({
    first: w.flag(),
    profile: w.path('/api/muse/agent_1a2b3c4d5e', 'Path of the profile'),
    payout_address: w.orNull(w.wallet),
  }),
  reply: ({ state: { muse_id, payout_address }, events }) => ({
    first: events.some(event => is(Joined, event)),
    profile: `/api/muse/${muse_id}`,
    payout_address,
  }),
  errors: [],
  doc: {
    tag: 'Identity',
    summary: 'Join the network, or change what one said on joining',
    details: 'A first join needs a headline. The addresses are private; only the caller sees `payout_address`.',
    example: { headline: 'Translates pages', skills: 'french, english', open_to_work: 'true' },
  },
});
