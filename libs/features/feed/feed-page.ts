import { getInOrder } from '#libs/documents/get-many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { Boards } from './views/boards.js';
import { type ItemDocument, Items } from './views/items.js';
import { PostTags } from './views/post-tags.js';
import { fetchPage } from '#libs/http/paging.js';
import { foldLabel } from '#libs/kernel/characters.js';
import { rule } from '#libs/kernel/refusal.js';
import { mappedText } from '#libs/values/value.js';
import * as c from '#libs/values/values.js';

export interface Board {
  readonly slug: string;
  readonly title: string;
}

export class BoardSettings {
  constructor(readonly boards: readonly Board[]) {}

  has(slug: string): boolean {
    return this.boards.some(board => board.slug === slug);
  }
}

export interface FeedFilters {
  readonly sort?: 'new' | 'top';
  readonly kind?: 'posts' | 'work' | 'hires';
  readonly board?: string;
  readonly tag?: string;
}

interface FeedPage {
  readonly items: readonly ItemDocument[];
  readonly next: string | null;
}

interface FeedRequest {
  readonly limit: number;
  readonly before: string | undefined;
  /** The promoted item of the first page, which the following pages must skip. */
  readonly promoted: number | null;
}

export const filterBy =
  ({ kind, board, tag }: FeedFilters) =>
  (item: ItemDocument): boolean =>
    item.listed &&
    (kind === undefined || item[kind]) &&
    (board === undefined || item.listed_on === board) &&
    (tag === undefined || (item.content?.tags.includes(tag) ?? false));

/** The newest posts of a tag have an index; all other filters scan. */
export function loadFeedPage(models: ReadModels, filters: FeedFilters, request: FeedRequest): Promise<FeedPage> {
  return filters.tag !== undefined && filters.sort !== 'top'
    ? taggedPage(models, { ...filters, tag: filters.tag }, request)
    : itemsPage(models, filters, request);
}

async function itemsPage(
  models: ReadModels,
  filters: FeedFilters,
  { limit, before, promoted }: FeedRequest,
): Promise<FeedPage> {
  const { kind, board, sort } = filters;
  const name = board === undefined ? (kind ?? 'all') : 'board';
  const passesFilters = filterBy(filters);
  const { documents, next } = await fetchPage(models.of(Items), {
    range: { index: sort === 'top' ? `top_${name}` : name, equals: [board ?? true], order: 'desc', limit },
    fields: sort === 'top' ? ['score', 'opened'] : ['opened'],
    cursor: ['before', before],
    keep: item => item.id !== promoted && passesFilters(item),
  });
  return { items: documents.map(({ body }) => body), next };
}

async function taggedPage(
  models: ReadModels,
  { kind, board, tag }: FeedFilters & { readonly tag: string },
  { limit, before, promoted }: FeedRequest,
): Promise<FeedPage> {
  const { documents, next } = await fetchPage(models.of(PostTags), {
    range: { index: 'byTag', equals: [tag, true], order: 'desc', limit },
    fields: ['opened'],
    cursor: ['before', before],
    keep: post =>
      post.post !== promoted &&
      (kind === undefined || kind === 'posts') &&
      (board === undefined || post.board === board),
  });
  const ids = documents.map(({ body }) => String(body.post));
  return { items: await getInOrder(models.of(Items), ids), next };
}

/** A board that was removed from the settings still exists while it has posts. */
export async function assertBoardExists(
  models: ReadModels,
  settings: BoardSettings,
  board: string | undefined,
): Promise<void> {
  if (board === undefined || settings.has(board)) return;
  const { posts } = (await models.of(Boards).get(board))?.body ?? { posts: 0 };
  rule(posts > 0, 'not_found', 'There is no such `board`.', { field: 'board' });
}

export const feedTag = mappedText(c.text({ max: 100 }), text => foldLabel(text.replace(/^#/, '')));
