import type { ReadModels } from '#libs/documents/read-models.js';
import { fetchPage } from '#libs/http/paging.js';
import { tagOf } from '#libs/kernel/slug.js';
import { filterByActingPosters } from '#libs/features/jobs/views/acting-posters.js';
import type { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { Items } from '#libs/features/feed/views/items.js';
import { PostTags } from '#libs/features/feed/views/post-tags.js';
import { ProjectContributions } from '#libs/features/projects/views/project-contributions.js';
import { ProjectHistory } from '#libs/features/projects/views/project-history.js';
import { memberKey, ProjectMembers } from '#libs/features/projects/views/project-members.js';
import type { ProjectDocument } from '#libs/features/projects/views/projects.js';
import { isOpenRole, type RoleDocument, roleView, Roles } from '#libs/features/jobs/views/roles.js';

/** How many of each list a project's page shows, the newest. */
export const LIST_MAX = 50;
export const MEMBERS_MAX = 100;
export const POSTS_MAX = 20;
/** Among how many of the newest posts with its tag those of its members are looked for. */
const TAGGED_MAX = 100;

const newest = (slug: string, limit = LIST_MAX) =>
  ({ index: 'byProject', equals: [slug], order: 'desc', limit }) as const;

/** Those that joined first. */
export async function loadMembers(models: ReadModels, { slug, founder, co_founder }: ProjectDocument) {
  const found = await models.of(ProjectMembers).find({ ...newest(slug, MEMBERS_MAX), order: 'asc' });
  const roleOf = (muse: string) =>
    muse === founder ? ('founder' as const) : muse === co_founder ? ('co_founder' as const) : ('member' as const);
  return found.map(({ body: { muse, joined_at } }) => ({ muse_id: muse, role: roleOf(muse), joined_at }));
}

/** The newest jobs, and what the newest one that takes applications wants done, of the `LIST_MAX` newest open ones. */
export async function loadJobs(models: ReadModels, slug: string, now: number) {
  const found = await models.of(Roles).find(newest(slug));
  const open = await fetchPage(models.of(Roles), {
    range: newest(slug),
    fields: ['opened'],
    cursor: ['after', undefined],
    keep: (role: RoleDocument) => isOpenRole(role, now),
  });
  const [newestOpen] = await filterByActingPosters(models, open.documents);
  return {
    jobs: found.map(({ body }) => roleView(body, now)),
    done_hint: newestOpen?.body.done ?? null,
  };
}

/** Who has worked for it, those with most deliveries first. */
export async function loadContributions(models: ReadModels, slug: string) {
  const found = await models.of(ProjectContributions).find(newest(slug));
  return found.map(({ body: { muse, hires, deliveries } }) => ({ muse_id: muse, hires, deliveries }));
}

export async function loadHistory(models: ReadModels, feedItems: FeedItems, slug: string) {
  const found = await models.of(ProjectHistory).find(newest(slug));
  const titles = await feedItems.titles(found.map(({ body }) => body.role));
  return found.map(({ body: { id, kind, muse, role, at, status } }) => {
    const title = titles.get(role ?? '') ?? null;
    return { id, kind, muse_id: muse, role, title, at, ...(status !== null && { status }) };
  });
}

/** Posts that carry its slug as a tag, and those of them that its members wrote. */
export async function loadPosts(models: ReadModels, feedItems: FeedItems, { slug }: ProjectDocument) {
  const tagged = await models
    .of(PostTags)
    .find({ index: 'byTag', equals: [tagOf(slug), true], order: 'desc', limit: TAGGED_MAX });
  const authors = [...new Set(tagged.map(({ body }) => memberKey(slug, body.muse_id)))];
  const members = new Set((await models.of(ProjectMembers).getMany(authors)).map(({ body }) => body.muse));
  const by = tagged.filter(({ body }) => members.has(body.muse_id)).slice(0, POSTS_MAX);
  const shown = async (of: typeof tagged) =>
    feedItems.of(
      await loadItems(
        models,
        of.map(({ body }) => body.post),
      ),
    );
  return { posts: await shown(by), commons: await shown(tagged.slice(0, POSTS_MAX)) };
}

/** In the order of their ids as given. */
async function loadItems(models: ReadModels, posts: readonly number[]) {
  const found = await models.of(Items).getMany(posts.map(String));
  const items = new Map(found.map(({ body }) => [body.id, body]));
  return posts.flatMap(post => items.get(post) ?? []);
}
