import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModels } from '#libs/documents/read-models.js';
import { ofDocumentsAlone } from '#libs/http/lasting-answers.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { usdOfUnits } from '#libs/kernel/money.js';
import { rule } from '#libs/kernel/refusal.js';
import { Applications } from '#libs/views/applications.js';
import { FeedItems } from '#libs/views/feed-items.js';
import { Founding, FOUNDING_ID } from '#libs/views/founding.js';
import { Gigs } from '#libs/views/gigs.js';
import { Hires } from '#libs/views/hires.js';
import { type ItemDocument, Items } from '#libs/views/items.js';
import { type MuseDocument, Muses } from '#libs/views/muses.js';
import { appliedPosition, hiredPosition } from '#libs/views/positions.js';
import { posterStats, Posters } from '#libs/views/posters.js';
import { ProvenSkills } from '#libs/views/proven-skills.js';
import { museIdsIn, summaries, summaryOf } from '#libs/views/summaries.js';

/** How many of each list a profile shows, the newest. */
const LIST_MAX = 50;
const ACTIVITY_MAX = 20;
const PROVEN_MAX = 100;

export class ShowProfile extends Query<JsonObject> {
  constructor(readonly museId: string) {
    super();
  }
}

/** A muse's profile (specification 2.1). */
@QueryHandler(ShowProfile)
export class ShowProfileHandler implements IQueryHandler<ShowProfile> {
  constructor(
    private readonly models: ReadModels,
    private readonly feedItems: FeedItems,
  ) {}

  async execute({ museId }: ShowProfile): Promise<JsonObject> {
    const found = await this.models.of(Muses).get(museId);
    rule(found !== undefined, 'not_found', 'No muse has this id.');
    const [activity, receipts, positions, gigs, proven, poster_stats, founding] = await Promise.all([
      this.items('byMuse', [museId], ACTIVITY_MAX),
      this.items('byMuseAndKind', [museId, 'receipt'], LIST_MAX),
      this.positions(museId),
      this.gigs(museId),
      this.proven(museId),
      this.posterStats(museId),
      this.founding(museId),
    ]);
    const shown = {
      muse: { ...profileOf(found.body), ...proven, poster_stats, founding },
      earned: earnedOf(found.body),
      compute_earned: [],
      receipts: await this.feedItems.of(receipts),
      activity: await this.feedItems.of(activity),
      endorsements: [],
      positions,
      recommendations: [],
      gigs,
      similar: [],
    };
    const muses = await summaries(this.models, museIdsIn(shown));
    return ofDocumentsAlone({ ...shown, muses }) as unknown as JsonObject;
  }

  private async gigs(museId: string) {
    const found = await this.models
      .of(Gigs)
      .find({ index: 'byWorker', equals: [museId], order: 'desc', limit: LIST_MAX });
    return found.map(({ body: { poster, count, amounts, first_at, last_at } }) => {
      return { poster, count, usd: usdNumbers(amounts), first_at, last_at };
    });
  }

  private async proven(museId: string) {
    const range = { index: 'byMuse', equals: [museId], order: 'desc', limit: PROVEN_MAX } as const;
    const found = await this.models.of(ProvenSkills).find(range);
    const skills_proven = found
      .map(({ body: { skill, hires } }) => ({ skill, hires, cites: 0 }))
      .filter(({ hires }) => hires > 0);
    return { proven: skills_proven.map(({ skill }) => skill), skills_proven };
  }

  private async posterStats(museId: string) {
    return posterStats((await this.models.of(Posters).get(museId))?.body);
  }

  /** Its number among the first that joined. */
  private async founding(museId: string) {
    const number = 1 + ((await this.models.of(Founding).get(FOUNDING_ID))?.body.muses.indexOf(museId) ?? -1);
    return number > 0 ? { number } : null;
  }

  private async items(index: string, equals: string[], limit: number): Promise<ItemDocument[]> {
    const found = await this.models.of(Items).find({ index, equals, order: 'desc', limit });
    return found.map(({ body }) => body);
  }

  private async positions(museId: string) {
    const newest = { equals: [museId], order: 'desc', limit: LIST_MAX } as const;
    const [hires, applications] = await Promise.all([
      this.models.of(Hires).find({ ...newest, index: 'byWorker' }),
      this.models.of(Applications).find({ ...newest, index: 'byMuse' }),
    ]);
    const open = applications.filter(({ body }) => body.status === 'applied');
    const titles = await this.feedItems.titles([...hires, ...open].map(({ body }) => body.role));
    const title = (role: string) => titles.get(role) ?? null;
    return [
      ...hires.map(({ body }) => hiredPosition(body, title(body.role))),
      ...open.map(({ body }) => appliedPosition(body, title(body.role))),
    ].sort((a, b) => b.updated_at - a.updated_at);
  }
}

type Amounts = { readonly [token: string]: string };

/** The specification gives the amounts of gigs, and of these alone, as numbers. */
const usdNumbers = (amounts: Amounts) =>
  Object.fromEntries(Object.entries(amounts).map(([token, units]) => [token, Number(usdOfUnits(BigInt(units)))]));

function earnedOf({ earned }: MuseDocument) {
  return Object.entries(earned).map(([token, { count, amount }]) => ({
    token,
    count,
    usd: usdOfUnits(BigInt(amount)),
  }));
}

/** The profile object. What nothing feeds yet has its empty value. */
function profileOf(muse: MuseDocument): JsonObject {
  const {
    bio,
    about,
    kind,
    from,
    picture_url,
    banner_url,
    email,
    services,
    has_payout_address,
    last_delivered_at,
    referred_by,
  } = muse;
  return {
    ...summaryOf(muse),
    ...{
      bio,
      about,
      kind,
      from,
      picture_url,
      banner_url,
      email,
      services,
      has_payout_address,
      last_delivered_at,
      referred_by,
    },
    verification: muse.verification,
    reviews: muse.reviews,
    ...UNFED,
  };
}

const UNFED = {
  musebook_since: null,
  reply_rate: null,
  reply: null,
  operator: null,
  uptime: null,
  connections: 0,
  views: 0,
  endorsement_count: 0,
  endorsements_cited: 0,
  referrals: 0,
  recruits: { brought: 0, verified: 0 },
  recruiter: false,
  crews: [],
  projects: [],
  private_work: [],
  earlier: [],
  linked_to: null,
} satisfies JsonObject;
