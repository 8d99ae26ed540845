import { getInOrder } from '#libs/documents/get-many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { Items } from '#libs/features/feed/views/items.js';
import { PostTags } from '#libs/features/feed/views/post-tags.js';
import { type HireDocument, Hires } from '#libs/features/hires/views/hires.js';
import { deliveryAddress, type HireContext, hirePosition } from '#libs/features/hires/views/positions.js';
import { withPosterStats } from '#libs/features/hires/views/poster-stats.js';
import { hireEvidence } from '#libs/features/jobs/views/application-view.js';
import { filterByActingPosters } from '#libs/features/jobs/views/acting-posters.js';
import { isOpenRole, roleView, Roles } from '#libs/features/jobs/views/roles.js';
import { ProjectContributions } from './views/project-contributions.js';
import { ProjectHistory, type HistoryKind } from './views/project-history.js';
import { memberKey, ProjectMembers } from '#libs/features/projects/views/project-members.js';
import type { ProjectDocument } from '#libs/features/projects/views/projects.js';
import { fetchPageByOpening } from '#libs/http/paging.js';
import { tagOf } from '#libs/kernel/slug.js';
import { repoOf } from '#libs/features/projects/views/project-repo.js';
import { loadProjectTexts } from '#libs/features/projects/views/load-project-texts.js';

/** Lists show the newest entries. */
export const LIST_MAX = 50;
export const MEMBERS_MAX = 100;
export const POSTS_MAX = 20;
/** Posts of members are searched among this many newest posts with the tag. */
const TAGGED_MAX = 100;

const newest = (slug: string, limit = LIST_MAX) =>
  ({ index: 'byProject', equals: [slug], order: 'desc', limit }) as const;

/** Earliest members first. */
export async function loadMembers(models: ReadModels, { slug, founder, co_founder }: ProjectDocument) {
  const documents = await models.of(ProjectMembers).find({ ...newest(slug, MEMBERS_MAX), order: 'asc' });
  const roleOf = (muse: string) =>
    muse === founder ? ('founder' as const) : muse === co_founder ? ('co_founder' as const) : ('member' as const);
  return documents.map(({ body: { muse, joined_at } }) => ({ muse_id: muse, role: roleOf(muse), joined_at }));
}

/**
 * The newest jobs, and the `done` text of the newest job that takes applications, among the `LIST_MAX` newest open
 * ones.
 */
export async function loadJobs(models: ReadModels, slug: string, now: number) {
  const documents = await models.of(Roles).find(newest(slug));
  const open = await fetchPageByOpening(models.of(Roles), { ...newest(slug), keep: role => isOpenRole(role, now) });
  const [newestOpen] = await filterByActingPosters(models, open.documents);
  return {
    jobs: await withPosterStats(
      models,
      documents.map(({ body }) => roleView(body, now)),
      now,
    ),
    done_hint: newestOpen?.body.done ?? null,
  };
}

/** Most deliveries first. */
export async function loadContributions(models: ReadModels, slug: string) {
  const documents = await models.of(ProjectContributions).find(newest(slug));
  return documents.map(({ body: { muse, hires, deliveries } }) => ({ muse_id: muse, hires, deliveries }));
}

export async function loadHistory(models: ReadModels, feedItems: FeedItems, slug: string) {
  const documents = await models.of(ProjectHistory).find(newest(slug));
  const titles = await feedItems.titles(documents.map(({ body }) => body.role));
  return documents.map(({ body: { id, kind, muse, role, at, status } }) => {
    const title = titles.get(role ?? '') ?? null;
    return { id, kind, muse_id: muse, role, title, at, ...(status !== null && { status }) };
  });
}

/** Posts with the slug as a tag (`commons`), and those of members among them (`posts`). */
export async function loadPosts(models: ReadModels, feedItems: FeedItems, { slug }: ProjectDocument) {
  const tagged = await models
    .of(PostTags)
    .find({ index: 'byTag', equals: [tagOf(slug), true], order: 'desc', limit: TAGGED_MAX });
  const authors = [...new Set(tagged.map(({ body }) => memberKey(slug, body.muse_id)))];
  const members = new Set((await models.of(ProjectMembers).getMany(authors)).map(({ body }) => body.muse));
  const memberPosts = tagged.filter(({ body }) => members.has(body.muse_id)).slice(0, POSTS_MAX);
  const toFeedItems = async (tags: typeof tagged) => {
    const ids = tags.map(({ body }) => String(body.post));
    return feedItems.of(await getInOrder(models.of(Items), ids));
  };
  return { posts: await toFeedItems(memberPosts), commons: await toFeedItems(tagged.slice(0, POSTS_MAX)) };
}

/** The newest hires of a project, and the hires with the newest first deliveries. */
export async function loadProjectWork(models: ReadModels, feedItems: FeedItems, slug: string) {
  const [hired, delivered] = await Promise.all([
    loadHires(models, slug, 'hired'),
    loadHires(models, slug, 'delivered'),
  ]);
  const titles = await feedItems.titles([...hired, ...delivered].map(({ role }) => role));
  const context = await feedItems.contexts([...hired, ...delivered]);
  const title = (role: string) => titles.get(role) ?? null;
  return {
    hires: hired.map(hire => ({ ...hirePosition(hire, title(hire.role), context(hire)), muse_id: hire.worker })),
    deliveries: delivered.flatMap(hire => deliveryOf(hire, title(hire.role), context(hire))),
  };
}

/** Hires with a history entry of this kind, newest first. */
async function loadHires(models: ReadModels, slug: string, kind: HistoryKind): Promise<HireDocument[]> {
  const entries = await models
    .of(ProjectHistory)
    .find({ index: 'byKind', equals: [slug, kind], order: 'desc', limit: LIST_MAX });
  const ids = entries.map(({ body }) => String(body.hire));
  return getInOrder(models.of(Hires), ids);
}

function deliveryOf(hire: HireDocument, title: string | null, { erased }: HireContext) {
  const { hire: id, worker: muse_id, role, delivery } = hire;
  if (!delivery) return [];
  const { post, digest, read_at, at } = delivery;
  const [url, evidence] = [deliveryAddress(delivery, erased), hireEvidence(id)];
  return [{ hire: id, muse_id, role, title, post, url, digest, read_at, at, evidence }];
}

/** Unset optional texts are null, other unset texts are empty. */
export async function projectViews(models: ReadModels, projects: readonly ProjectDocument[]) {
  const textsBySlug = await loadProjectTexts(models, projects);
  return projects.map(project => {
    const { slug, founder, co_founder, status, verified, jobs, hires, members, created_at, updated_at } = project;
    const { milestone, needs, ...texts } = textsBySlug.get(slug)!;
    return {
      slug,
      ...texts,
      founder,
      co_founder,
      status,
      featured: false,
      repo: repoOf({ texts, verified }),
      milestone: milestone || null,
      needs: needs || null,
      jobs,
      hires,
      members,
      created_at,
      updated_at,
    };
  });
}
