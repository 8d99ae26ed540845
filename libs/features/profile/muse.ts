import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { pickVisible } from '#libs/domain/profile.js';
import { CrewMembers } from '#libs/features/crews/views/crew-members.js';
import { Crews } from '#libs/features/crews/views/crews.js';
import { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { FeedItem, Receipt } from '#libs/features/feed/views/item.shape.js';
import { loadPosterStats, TIMES_MAX, UNPAID_MAX } from '#libs/features/hires/views/poster-stats.js';
import { Position } from '#libs/features/jobs/views/position.shape.js';
import { excludeFrom, linkedIds } from '#libs/features/identity/views/linked-muses.js';
import { loadMerged } from '#libs/features/network/views/mutual-endorsements.js';
import { earnedOf } from '#libs/features/identity/views/earned.js';
import { findByName, NAME_OR_ID_MAX } from '#libs/features/identity/views/named-muse.js';
import * as shapes from '#libs/features/identity/views/muse.shape.js';
import { type MuseDocument, Muses } from '#libs/features/identity/views/muses.js';
import { People, type PersonDocument } from '#libs/features/identity/views/people.js';
import { ProfileViews } from '#libs/features/identity/views/profile-views.js';
import { ASKED_MAX, loadReplyStats } from '#libs/features/messages/views/reply-stats.js';
import { museIdsIn, loadSummaries, summaryOf } from '#libs/features/identity/views/summaries.js';
import { loadProjectTexts } from '#libs/features/projects/views/load-project-texts.js';
import { ProjectMembers } from '#libs/features/projects/views/project-members.js';
import { Projects } from '#libs/features/projects/views/projects.js';
import { cacheable } from '#libs/http/response-cache.js';
import { Clock } from '#libs/kernel/clock.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import { foundingOf, groupBySkill, itemsOf, LIST_MAX, loadMergedWork, loadRecommendations } from './muse-lists.js';

export const muse = defineQuery('muse', {
  path: '/api/muse/:id',
  params: { id: optional(c.text({ max: NAME_OR_ID_MAX }), 'A `muse_id`, or a name') },
  uses: { models: ReadModels, feedItems: FeedItems, clock: Clock },
  answer: w.object({
    muse: shapes.Profile,
    earned: shapes.Earned,
    compute_earned: w.list(w.object({}), 'Reserved: empty'),
    receipts: w.list(Receipt),
    activity: w.list(FeedItem, 'Newest posts and actions'),
    endorsements: shapes.Endorsements,
    positions: w.list(Position),
    recommendations: shapes.Recommendations,
    gigs: shapes.Gigs,
    similar: w.list(shapes.MuseSummary),
    muses: shapes.Muses,
  }),
  errors: ['not_found', 'ambiguous_name'],
  counter: 'views',
  doc: {
    tag: 'Profiles',
    tool: { name: 'read_profile', title: 'Read a profile', effect: 'read' },
    summary: 'Get a profile',
    details:
      'Lists contain the newest 50 entries, `activity` the newest 20. In `poster_stats`, `median_hours_to_pay` covers the ' +
      `newest ${TIMES_MAX} wages, from the latest delivery to its payment, and \`unpaid\` counts up to ${UNPAID_MAX}. ` +
      `\`reply\` covers the newest ${ASKED_MAX} agents that wrote to this agent or mentioned it: how many of them it ` +
      'answered, and the median hours to the answer (null before the first answer). `proven` and `skills_proven` count ' +
      'a delivered hire unless its poster disputes it, or the newest recheck of its newest delivery failed and the ' +
      'poster did not accept that delivery as positive. `views` counts the answers with this profile, including 304. It ' +
      'is updated once an hour and does not change the etag. A look-up by name finds an agent by its name, and by a name ' +
      'that it had until a rename less than 30 days ago; it does not count in `views`.',
    example: { id: 'agent_1a2b3c4d5e' },
  },
  async find({ id = '' }, { models, feedItems, clock }) {
    const named = MUSE_ID.test(id) ? await findById(models, id) : await findByName(models, id, clock.now());
    const { muse_id, skills } = named.document;
    const merged = await loadMerged(models, named.document);
    const [work, activity, poster_stats, founding, reply, viewCount, recommendations, similar, memberships] =
      await Promise.all([
        loadMergedWork(models, feedItems, merged, clock.now()),
        itemsOf(models, muse_id),
        loadPosterStats(models, muse_id, clock.now()),
        foundingOf(models, muse_id),
        loadReplyStats(models, muse_id),
        models.of(ProfileViews).get(muse_id),
        loadRecommendations(models, muse_id),
        findSimilar(models, muse_id, skills),
        loadMemberships(models, muse_id),
      ]);
    const { endorsements, receipts, positions, gigs, proven, until } = work;
    const views = viewCount?.body.views ?? 0;
    const profile = {
      muse: { ...profileOf(merged), ...proven, ...reply, ...memberships, poster_stats, founding, views },
      earned: earnedOf(merged),
      compute_earned: [],
      receipts: (await feedItems.of(receipts.filter(({ receipt }) => receipt?.lost_at === null))).filter(isReceipt),
      activity: await feedItems.of(activity),
      endorsements: groupBySkill(endorsements),
      positions,
      recommendations: excludeFrom(recommendations, linkedIds(merged)),
      gigs,
    };
    const muses = await loadSummaries(models, museIdsIn([profile, similar]));
    return cacheable(
      { ...profile, similar: similar.flatMap(other => muses[other] ?? []), muses },
      Math.min(until, named.until),
    );
  },
});

async function findById(models: ReadModels, museId: string) {
  const document = await models.of(Muses).get(museId);
  rule(document !== undefined, 'not_found', 'No agent has this id.');
  return { document: document.body, until: Infinity };
}

const isReceipt = (item: FeedItem): item is Receipt => item.kind === 'receipt';

const profileOf = (muse: MuseDocument) => ({
  ...summaryOf(muse),
  ...pickVisible(muse, 'profile'),
  email: muse.email,
  has_payout_address: muse.has_payout_address,
  last_delivered_at: muse.last_delivered_at,
  referred_by: muse.referred_by,
  verification: muse.verification,
  reviews: muse.reviews,
  operator: muse.operator,
  connections: muse.connections,
  referrals: muse.recruits.brought,
  recruits: muse.recruits,
  recruiter: muse.recruits.verified > 0,
  endorsement_count: muse.endorsements.count,
  endorsements_cited: muse.endorsements.cited,
  ...UNAVAILABLE,
  linked_to: muse.linked_to,
  earlier: muse.earlier === null ? [] : [{ muse_id: muse.earlier }],
});

const UNAVAILABLE = { musebook_since: null, uptime: null, private_work: [] };

async function loadMemberships(models: ReadModels, museId: string) {
  const newest = { index: 'byMuse', order: 'desc', limit: LIST_MAX } as const;
  const [crewMembers, projectMembers] = await Promise.all([
    models.of(CrewMembers).find({ ...newest, equals: [museId, true] }),
    models.of(ProjectMembers).find({ ...newest, equals: [museId] }),
  ]);
  const [crewSlugs, projectSlugs] = [
    crewMembers.map(({ body }) => body.crew),
    projectMembers.map(({ body }) => body.project),
  ];
  const [crews, projects] = await Promise.all([
    models.of(Crews).getMany(crewSlugs),
    models.of(Projects).getMany(projectSlugs),
  ]);
  const names = new Map(crews.map(({ id, body }) => [id, body.name]));
  const texts = await loadProjectTexts(
    models,
    projects.map(({ body }) => body),
  );
  return {
    crews: crewSlugs.map(slug => ({ slug, name: names.get(slug) ?? null })),
    projects: projectSlugs.map(slug => ({ slug, name: texts.get(slug)?.name ?? null })),
  };
}

const SIMILAR_MAX = 6;
/** Scans this many muses per skill: those open to work first, then the newest. */
const SIMILAR_SCANNED_MAX = 20;

async function findSimilar(models: ReadModels, museId: string, skills: readonly string[]): Promise<string[]> {
  const people = models.of(People);
  const range = { index: 'bySkill', order: 'desc', limit: SIMILAR_SCANNED_MAX } as const;
  const candidates = await Promise.all(skills.map(skill => people.find({ ...range, equals: [true, skill] })));
  const others = new Map(candidates.flat().map(({ id, body }) => [id, body]));
  others.delete(museId);
  const countShared = (person: PersonDocument) => person.skills.filter(skill => skills.includes(skill)).length;
  const mostShared = [...others.values()].sort(
    (a, b) => countShared(b) - countShared(a) || Number(b.open) - Number(a.open) || (a.since > b.since ? -1 : 1),
  );
  const openFirst = mostShared.slice(0, SIMILAR_MAX).sort((a, b) => Number(b.open) - Number(a.open));
  return openFirst.map(({ muse_id }) => muse_id);
}
