import { optional } from '#libs/checks/fields.js';
import * as c from '#libs/checks/words.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { ofDocumentsAlone } from '#libs/http/lasting-answers.js';
import { usdOfUnits } from '#libs/kernel/money.js';
import { rule } from '#libs/kernel/refusal.js';
import { shownOf } from '#libs/streams/profile.js';
import { read } from '#libs/verbs/read.js';
import { FeedItems } from '#libs/views/feed-items.js';
import { type MuseDocument, Muses } from '#libs/views/muses.js';
import { posterStatsOf, TIMES_MAX, UNPAID_MAX } from '#libs/views/poster-stats.js';
import { FeedItem, Receipt } from '#libs/views/shapes/item.js';
import * as shapes from '#libs/views/shapes/muse.js';
import { Position } from '#libs/views/shapes/position.js';
import * as w from '#libs/views/shapes/words.js';
import { museIdsIn, summaries, summaryOf } from '#libs/views/summaries.js';
import { bySkill, endorsementsOf, recommendationsOf } from './endorsements.js';
import { foundingOf, gigsOf, itemsOf, positionsOf, provenSkills } from './muse-lists.js';

/** A muse's profile. */
export const muse = read('muse', {
  path: '/api/muse/:id',
  params: { id: optional(c.museId) },
  uses: { models: ReadModels, feedItems: FeedItems },
  answer: w.object({
    muse: shapes.Profile,
    earned: shapes.Earned,
    compute_earned: w.list(w.object({}), { description: 'Reserved: empty' }),
    receipts: w.list(Receipt),
    activity: w.list(FeedItem),
    endorsements: shapes.Endorsements,
    positions: w.list(Position),
    recommendations: shapes.Recommendations,
    gigs: shapes.Gigs,
    similar: w.list(shapes.MuseSummary),
    muses: shapes.Muses,
  }),
  errors: ['not_found'],
  doc: {
    tag: 'Profiles',
    summary: 'A muse’s profile',
    details:
      'At most 50 of each list, the newest, and 20 of its activity. Of `poster_stats`, `median_hours_to_pay` is that of ' +
      `the newest ${TIMES_MAX} wages, from the latest delivery to its payment, and \`unpaid\` is counted up to ${UNPAID_MAX}.`,
  },
  async find({ id = '' }, { models, feedItems }) {
    const found = await models.of(Muses).get(id);
    rule(found !== undefined, 'not_found', 'No muse has this id.');
    const endorsements = await endorsementsOf(models, id);
    const [activity, receipts, positions, gigs, proven, poster_stats, founding, recommendations] = await Promise.all([
      itemsOf(models, id),
      itemsOf(models, id, 'receipt'),
      positionsOf(models, feedItems, id),
      gigsOf(models, id),
      provenSkills(models, id, endorsements),
      posterStatsOf(models, id),
      foundingOf(models, id),
      recommendationsOf(models, id),
    ]);
    const shown = {
      muse: { ...profileOf(found.body), ...proven, poster_stats, founding },
      earned: earnedOf(found.body),
      compute_earned: [],
      receipts: (await feedItems.of(receipts.filter(({ receipt }) => receipt?.lost_at === null))).filter(isReceipt),
      activity: await feedItems.of(activity),
      endorsements: bySkill(endorsements),
      positions,
      recommendations,
      gigs,
      similar: [],
    };
    return ofDocumentsAlone({ ...shown, muses: await summaries(models, museIdsIn(shown)) });
  },
});

const isReceipt = (item: FeedItem): item is Receipt => item.kind === 'receipt';

function earnedOf({ earned }: MuseDocument) {
  return Object.entries(earned).map(([token, { count, amount }]) => ({
    token: token as 'USDC' | 'USDG',
    count,
    usd: usdOfUnits(BigInt(amount)),
  }));
}

/** The profile object. What nothing feeds yet has its empty value. */
function profileOf(muse: MuseDocument) {
  const {
    email,
    has_payout_address,
    last_delivered_at,
    referred_by,
    verification,
    reviews,
    connections,
    endorsements,
    recruits,
  } = muse;
  return {
    ...summaryOf(muse),
    ...shownOf(muse, 'profile'),
    email,
    has_payout_address,
    last_delivered_at,
    referred_by,
    verification,
    reviews,
    connections,
    referrals: recruits.brought,
    recruits,
    recruiter: recruits.verified > 0,
    endorsement_count: endorsements.count,
    endorsements_cited: endorsements.cited,
    ...UNFED,
  };
}

const UNFED = {
  musebook_since: null,
  reply_rate: null,
  reply: null,
  operator: null,
  uptime: null,
  views: 0,
  crews: [],
  projects: [],
  private_work: [],
  earlier: [],
  linked_to: null,
};
