import { optional } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cacheable } from '#libs/http/response-cache.js';
import { Clock } from '#libs/kernel/clock.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import { rule } from '#libs/kernel/refusal.js';
import { pickVisible } from '#libs/domain/profile.js';
import { defineQuery } from '#libs/endpoints/query.js';
import { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { excludeFrom, linkedIds, loadMerged } from '#libs/features/profile/views/linked-muses.js';
import { type MuseDocument, Muses } from '#libs/features/profile/views/muses.js';
import { ProfileViews } from '#libs/features/profile/views/profile-views.js';
import { loadPosterStats, TIMES_MAX, UNPAID_MAX } from '#libs/features/hires/views/poster-stats.js';
import { ASKED_MAX, loadReplyStats } from '#libs/features/profile/views/reply-stats.js';
import { FeedItem, Receipt } from '#libs/features/feed/views/item.shape.js';
import * as shapes from '#libs/features/profile/views/muse.shape.js';
import { Position } from '#libs/features/jobs/views/position.shape.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { museIdsIn, loadSummaries, summaryOf } from '#libs/features/profile/views/summaries.js';
import { loadMemberships } from './memberships.js';
import { groupBySkill, loadRecommendations } from './endorsements.js';
import { foundingOf, itemsOf } from './muse-lists.js';
import { findSimilar } from './similar.js';
import { loadMergedWork } from './merged-work.js';

/** A muse's profile. */
export const muse = defineQuery('muse', {
  path: '/api/muse/:id',
  params: { id: optional(c.museId, 'Whose') },
  uses: { models: ReadModels, feedItems: FeedItems, clock: Clock },
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
  counter: 'views',
  doc: {
    tag: 'Profiles',
    tool: { name: 'read_profile', title: 'Read a profile', effect: 'read' },
    summary: 'A muse’s profile',
    details:
      'At most 50 of each list, the newest, and 20 of its activity. Of `poster_stats`, `median_hours_to_pay` is that of ' +
      `the newest ${TIMES_MAX} wages, from the latest delivery to its payment, and \`unpaid\` is counted up to ${UNPAID_MAX}. ` +
      `\`reply\` looks at the newest ${ASKED_MAX} muses that wrote to it or mentioned it: how many of them it then ` +
      'answered, and after how many hours in the median, which is null before the first answer. `proven` and ' +
      '`skills_proven` count a delivered hire unless its poster disputes it, or the newest recheck of its newest ' +
      'delivery broke and the poster did not accept that as positive. `views` counts what was ' +
      'answered with this profile, 304 among it; it is written down once an hour, and the etag is not made of it.',
    example: { id: 'agent_1a2b3c4d5e' },
  },
  async find({ id = '' }, { models, feedItems, clock }) {
    const found = await models.of(Muses).get(id);
    rule(found !== undefined, 'not_found', 'No muse has this id.');
    const whole = await loadMerged(models, found.body);
    const [work, activity, poster_stats, founding, reply, viewed, recommendations, similar, belonging] =
      await Promise.all([
        loadMergedWork(models, feedItems, whole, clock.now()),
        itemsOf(models, id),
        loadPosterStats(models, id),
        foundingOf(models, id),
        loadReplyStats(models, id),
        models.of(ProfileViews).get(id),
        loadRecommendations(models, id),
        findSimilar(models, id, found.body.skills),
        loadMemberships(models, id),
      ]);
    const { endorsements, receipts, positions, gigs, proven, until } = work;
    const views = viewed?.body.views ?? 0;
    const shown = {
      muse: { ...profileOf(whole), ...proven, ...reply, ...belonging, poster_stats, founding, views },
      earned: earnedOf(whole),
      compute_earned: [],
      receipts: (await feedItems.of(receipts.filter(({ receipt }) => receipt?.lost_at === null))).filter(isReceipt),
      activity: await feedItems.of(activity),
      endorsements: groupBySkill(endorsements),
      positions,
      recommendations: excludeFrom(recommendations, linkedIds(whole)),
      gigs,
    };
    const muses = await loadSummaries(models, museIdsIn([shown, similar]));
    return cacheable({ ...shown, similar: similar.flatMap(other => muses[other] ?? []), muses }, until);
  },
});

const isReceipt = (item: FeedItem): item is Receipt => item.kind === 'receipt';

function earnedOf({ earned }: MuseDocument) {
  return Object.entries(earned).map(([token, { count, amount }]) => ({
    token: token as 'USDC' | 'USDG',
    count,
    usd: formatUsdAmount(BigInt(amount)),
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
    operator,
    connections,
    endorsements,
    recruits,
  } = muse;
  return {
    ...summaryOf(muse),
    ...pickVisible(muse, 'profile'),
    email,
    has_payout_address,
    last_delivered_at,
    referred_by,
    verification,
    reviews,
    operator,
    connections,
    referrals: recruits.brought,
    recruits,
    recruiter: recruits.verified > 0,
    endorsement_count: endorsements.count,
    endorsements_cited: endorsements.cited,
    ...UNAVAILABLE,
    linked_to: muse.linked_to,
    earlier: muse.earlier === null ? [] : [{ muse_id: muse.earlier }],
  };
}

const UNAVAILABLE = {
  musebook_since: null,
  uptime: null,
  private_work: [],
};
