import type { ReadModels } from '#libs/documents/read-models.js';
import { loadPageOfActingPosters } from '#libs/features/jobs/views/acting-posters.js';
import { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { Items } from '#libs/features/feed/views/items.js';
import { PostWords } from '#libs/features/feed/views/post-words.js';
import { RoleWords, type RoleWordsDocument } from '#libs/features/jobs/views/role-words.js';
import { roleView, Roles } from '#libs/features/jobs/views/roles.js';
import { findByWords } from './word-search.js';

export interface SearchRequest {
  /** At least one; a match holds all of them. */
  readonly words: readonly string[];
  readonly limit: number;
  readonly after: string | undefined;
}

export interface SearchResult<T> {
  readonly results: readonly T[];
  readonly next: string | null;
}

export async function searchPosts(models: ReadModels, feedItems: FeedItems, request: SearchRequest) {
  const posts = models.of(PostWords);
  const index = { collection: posts, index: 'byWord', equals: [], order: 'opened' as const };
  const { documents, next } = await findByWords(index, request);
  const items = new Map((await models.of(Items).getMany(documents.map(({ id }) => id))).map(item => [item.id, item]));
  return { results: await feedItems.of(documents.flatMap(({ id }) => items.get(id)?.body ?? [])), next };
}

export async function searchRoles(models: ReadModels, now: number, request: SearchRequest) {
  const roles = models.of(RoleWords);
  const index = { collection: roles, index: 'byWord', equals: [false], order: 'opened' as const };
  const keep = ({ expires_at }: RoleWordsDocument) => expires_at === null || now < expires_at;
  const { documents, next } = await loadPageOfActingPosters(models, request, part =>
    findByWords(index, { words: request.words, ...part, keep }),
  );
  const records = new Map((await models.of(Roles).getMany(documents.map(({ id }) => id))).map(role => [role.id, role]));
  const open = documents.flatMap(({ id }) => records.get(id)?.body ?? []);
  return { results: open.map(role => roleView(role, now)), next };
}
