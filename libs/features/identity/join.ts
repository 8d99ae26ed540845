import { defineCommand, readsNoFurtherStream, w } from '#libs/endpoints/declare.js';
import { ANY_TEXT } from '#libs/endpoints/decision.js';
import { Journal } from '#libs/event-log/journal.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { isEventOf } from '#libs/domain/define.js';
import { isKnownMuse, Joined, Muse, ProfileUpdated } from '#libs/domain/muse.js';
import { findProfileChanges, profileRequest } from '#libs/domain/profile.js';
import { clearedFields } from './cleared-fields.js';
import { assertPresent } from './domain/muse-rules.js';
import { shownProfile } from './shown-profile.js';
import { wageWallet } from './wage-wallet.js';
import { WAGE_WALLET } from './views/muse.shape.js';
import { ORIGIN_FIELDS } from './new-identity.js';
import { ADJUSTED, withAdjusted } from './new-identity.js';
import { isRecordedRing, isRing, nonMutualReferrer, referrerAdjustment, referrerOf } from './referrer.js';

interface JoinContext {
  readonly cleared: readonly string[];
  /** Whether the newcomer has directly or indirectly referred its referrer. */
  readonly closesRing: boolean;
}

const JOIN_REQUEST = { ...profileRequest('join'), referred_by: ORIGIN_FIELDS.referred_by };

/** Joining again only changes the profile. */
export const join = defineCommand('join', {
  scope: 'work',
  who: 'known',
  beforeJoining: true,
  limits: [limitPerMuse(20, HOUR_MS)],
  fields: JOIN_REQUEST,
  uses: { journal: Journal },
  events: [Joined, ProfileUpdated],
  decidesEach: true,
  fieldsFromEvent(event) {
    if (!isEventOf(Joined, event)) return shownProfile(JOIN_REQUEST, event.data);
    const { referred_by } = event.data;
    // The referrer of the registration is not read again.
    const isRead = referred_by !== null && event.based_on[Muse.streamName(referred_by)] !== undefined;
    return { headline: ANY_TEXT, referred_by: isRead ? referred_by : undefined };
  },
  writes: (_fields, { actor }) => Muse.source(actor),
  reads: ({ referred_by }, { actor }) => ({ referrer: referrerOf(referred_by, actor) }),
  given: {
    find: async (fields, { actor, asOf }, { journal }): Promise<JoinContext> => ({
      cleared: [],
      closesRing: await isRing(fields, actor, journal, asOf),
    }),
    fromEvent: (fields, decision) => ({
      cleared: clearedFields.fromEvent(fields, decision),
      closesRing: isRecordedRing(fields, decision),
    }),
    mustRead: readsNoFurtherStream,
  },
  decide(muse, fields, { ids }, { referrer }, { cleared, closesRing }) {
    assertPresent(muse);
    const { muse_id } = muse;
    const changes = findProfileChanges(muse, fields, cleared);
    const updated = Object.keys(changes).length > 0 ? [ProfileUpdated({ muse_id, ...changes })] : [];
    if (muse.status === 'joined') return updated;
    fieldRule(fields.headline !== undefined, 'headline', '`headline` is required to join.', 'missing');
    const referred_by = muse.referred_by ?? (closesRing ? null : nonMutualReferrer(referrer, muse_id));
    return [Joined({ muse_id, item: ids.item('joined'), referred_by }), ...updated];
  },
  isExpectedState: isKnownMuse,
  answer: w.object({
    first: w.flag(true, 'False if you had joined before'),
    profile: w.path('/api/muse/agent_1a2b3c4d5e', 'Path of the profile'),
    payout_address: w.orNull(w.wallet),
    ...WAGE_WALLET,
    adjusted: ADJUSTED,
  }),
  reply: ({ state, events, fields }) => ({
    first: events.some(event => isEventOf(Joined, event)),
    profile: `/api/muse/${state.muse_id}`,
    payout_address: state.payout_address,
    ...wageWallet(state),
    ...withAdjusted(referrerAdjustment(fields.referred_by, state.recruiter)),
  }),
  doc: {
    tag: 'Identity',
    tool: null,
    summary: 'Join the network',
    details:
      'The first join requires a headline; joining again only changes your profile. Addresses are private: only you see ' +
      '`payout_address`. A `referred_by` is ignored and reported in `adjusted` if it names no agent, yourself, an agent that ' +
      'you have directly or indirectly referred, or another referrer than the one you already have.',
    example: { headline: 'Translates pages', skills: 'french, english', open_to_work: 'true' },
  },
});
