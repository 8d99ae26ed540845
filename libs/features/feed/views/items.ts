import { Applied } from '#libs/features/jobs/domain/application.js';
import { Hired, Paid, WageLost } from '#libs/features/hires/domain/hire.js';
import { JobPosted } from '#libs/features/jobs/domain/job.js';
import { taskOfRole } from '#libs/features/jobs/domain/instant-names.js';
import { Joined, Verified } from '#libs/domain/muse.js';
import { PaymentSettled } from '#libs/domain/payment.js';
import { PostDeleted, Posted } from '#libs/features/feed/domain/post.js';
import { Promoted } from '#libs/features/jobs/domain/promoted.js';
import { Reacted, REACTIONS, type ReactionKind } from '#libs/features/feed/domain/reaction.js';
import type { EventOf } from '#libs/domain/define.js';
import type { Position } from '#libs/kernel/event.js';
import { SYSTEM_ACCOUNT_ID, resolvePosterId } from '#libs/kernel/system-account.js';
import * as d from '#libs/views/document-schema.js';
import { by, onExisting, on, defineProjection } from '#libs/views/projection.js';

const ItemKind = d.oneOf('post', 'job', 'applied', 'hired', 'joined', 'verified', 'receipt');
type ItemKind = d.DocumentOf<typeof ItemKind>;

const PostContent = d.object({
  text: d.orNull(d.text),
  title: d.orNull(d.text),
  tags: d.list(d.text),
  mentions: d.list(d.museId),
  proofs: d.list(d.object({ hire: d.id, role: d.slug, worker: d.museId })),
});
const EMPTY_CONTENT: d.DocumentOf<typeof PostContent> = { text: null, title: null, tags: [], mentions: [], proofs: [] };

export const ItemDocument = d.object({
  id: d.item,
  kind: ItemKind,
  muse_id: d.orNull(d.museId),
  role: d.orNull(d.slug),
  hire: d.orNull(d.id),
  again_of: d.orNull(d.slug),
  receipt: d.orNull(
    d.object({
      amount_usd: d.usd,
      token: d.text,
      network: d.text,
      rail: d.rail,
      tx: d.transaction,
      block: d.integer,
      poster: d.orNull(d.museId),
      lost_at: d.orNull(d.time),
    }),
  ),
  content: d.orNull(PostContent),
  board: d.orNull(d.slug),
  parent_id: d.orNull(d.item),
  deleted: d.flag,
  /** When its author or the operator deleted it. */
  deleted_at: d.orNull(d.time),
  promoted_until: d.orNull(d.time),
  /** Without deleted replies. */
  reply_count: d.integer,
  reactions: d.mapOf(d.integer),
  /** Replies plus reactions. */
  score: d.integer,
  created_at: d.time,
  opened: d.position,
  /** Lists of the feed that contain the item. Replies and deleted posts are in none. */
  listed: d.flag,
  posts: d.flag,
  work: d.flag,
  hires: d.flag,
  listed_on: d.orNull(d.slug),
});
export type ItemDocument = d.DocumentOf<typeof ItemDocument>;

const EXCERPT_CHARACTERS = 140;

export const excerptOf = (text: string | null) =>
  text === null ? null : [...text].slice(0, EXCERPT_CHARACTERS).join('');

const WORK: readonly ItemKind[] = ['job', 'applied', 'hired', 'receipt'];
const HIRES: readonly ItemKind[] = ['hired', 'receipt'];

const ITEM_DEFAULTS = {
  role: null,
  hire: null,
  again_of: null,
  receipt: null,
  content: null,
  board: null,
  parent_id: null,
  deleted: false,
  deleted_at: null,
  promoted_until: null,
  reply_count: 0,
  reactions: {},
  score: 0,
};

const UNLISTED = { listed: false, posts: false, work: false, hires: false, listed_on: null };

function listsOf({ kind, parent_id, board }: Pick<ItemDocument, 'kind' | 'parent_id' | 'board'>) {
  if (parent_id !== null) return UNLISTED;
  const lists = { posts: kind === 'post', work: WORK.includes(kind), hires: HIRES.includes(kind) };
  return { listed: true, ...lists, listed_on: board };
}

type NewItem = Pick<ItemDocument, 'id' | 'kind' | 'muse_id'> & Partial<ItemDocument>;

/** The first event of an item opens its document; later ones are ignored. */
function openItem(
  document: ItemDocument | undefined,
  { at, position }: { readonly at: number; readonly position: Position },
  opening: NewItem,
): ItemDocument {
  if (document) return document;
  const item = { ...ITEM_DEFAULTS, ...opening };
  return { ...item, ...listsOf(item), created_at: at, opened: position };
}

const withScore = (item: ItemDocument): ItemDocument => ({ ...item, score: item.reply_count + countReactions(item) });
const withReplies = (item: ItemDocument, change: number) =>
  withScore({ ...item, reply_count: item.reply_count + change });

export const countReactions = ({ reactions }: Pick<ItemDocument, 'reactions'>) =>
  Object.values(reactions).reduce((sum, count) => sum + count, 0);

export function updateReactions(
  reactions: ItemDocument['reactions'],
  { reaction, was }: EventOf<typeof Reacted>['data'],
): ItemDocument['reactions'] {
  const change = (kind: ReactionKind) => (kind === reaction ? 1 : 0) - (kind === was ? 1 : 0);
  const counts = REACTIONS.map(kind => [kind, (reactions[kind] ?? 0) + change(kind)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

const withReaction = (item: ItemDocument, data: EventOf<typeof Reacted>['data']): ItemDocument =>
  withScore({ ...item, reactions: updateReactions(item.reactions, data) });

type PostEvent = { readonly data: { readonly post: number; readonly parent_id: number | null } };
const postAndParent = ({ data: { post, parent_id } }: PostEvent) =>
  parent_id === null ? [String(post)] : [String(post), String(parent_id)];
const isParent = (id: string, { data }: PostEvent) => id !== String(data.post);

const byItem = by('item');

/** Fields of a hire that can change later are joined by the query. */
export const Items = defineProjection('items', ItemDocument, {
  shape: 'ece6ae2b',
  indexes: {
    all: ['listed?', 'opened'],
    posts: ['posts?', 'opened'],
    work: ['work?', 'opened'],
    hires: ['hires?', 'opened'],
    board: ['listed_on?', 'opened'],
    top_all: ['listed?', 'score', 'opened'],
    top_posts: ['posts?', 'score', 'opened'],
    top_work: ['work?', 'score', 'opened'],
    top_hires: ['hires?', 'score', 'opened'],
    top_board: ['listed_on?', 'score', 'opened'],
    replies: ['parent_id?', 'deleted', 'opened'],
    byMuse: ['muse_id', 'deleted', 'opened'],
    byMuseAndKind: ['muse_id', 'kind', 'opened'],
  },
  forgets: {
    by: ['byMuse'],
    erase: item => (item.content ? { ...item, content: { ...item.content, text: null, title: null, tags: [] } } : item),
  },
  steps: [
    on(
      Joined,
      ({ data }) => (data.muse_id === SYSTEM_ACCOUNT_ID ? [] : [String(data.item)]),
      (document, event) =>
        openItem(document, event, { id: event.data.item, kind: 'joined', muse_id: event.data.muse_id }),
    ),
    on(Verified, byItem, (document, event) =>
      openItem(document, event, { id: event.data.item, kind: 'verified', muse_id: event.data.muse_id }),
    ),
    on(JobPosted, byItem, (document, event) => {
      const { item: id, role, poster, again_of } = event.data;
      if (document) return document;
      const item = openItem(document, event, { id, kind: 'job', muse_id: resolvePosterId(poster), role, again_of });
      // A job for one instant task was never open to applications, so the feed does not list it.
      return taskOfRole(role) === null ? item : { ...item, ...UNLISTED };
    }),
    on(Applied, byItem, (document, event) => {
      const { item: id, role, muse_id } = event.data;
      return openItem(document, event, { id, kind: 'applied', muse_id, role });
    }),
    on(Hired, byItem, (document, event) => {
      const { item: id, role, worker: muse_id, hire } = event.data;
      return openItem(document, event, { id, kind: 'hired', muse_id, role, hire });
    }),
    on(Paid, byItem, (document, event) => {
      const { item: id, role, worker: muse_id, hire } = event.data;
      const { usd: amount_usd, token, network, rail, tx, block, poster } = event.data;
      const receipt = { amount_usd, token, network, rail, tx, block, poster, lost_at: null };
      return openItem(document, event, { id, kind: 'receipt', muse_id, role, hire, receipt });
    }),
    on(Posted, postAndParent, (document, event, id) => {
      if (isParent(id, event)) return document ? withReplies(document, 1) : null;
      const { post, muse_id, parent_id, board, title, text, mentions, proofs } = event.data;
      const content = { title, text, tags: event.data.tags ?? [], mentions, proofs };
      return openItem(document, event, { id: post, kind: 'post', muse_id, parent_id, board, content });
    }),
    onExisting(PostDeleted, postAndParent, (item, event, id) => {
      if (isParent(id, event)) return withReplies(item, -1);
      return { ...item, ...UNLISTED, deleted: true, deleted_at: event.at, content: EMPTY_CONTENT };
    }),
    onExisting(Reacted, byItem, (item, { data }) => withReaction(item, data)),
    onExisting(Promoted, byItem, (item, { data }) => ({ ...item, promoted_until: data.until })),
    onExisting(
      PaymentSettled,
      ({ data }) => (data.wage ? [String(data.wage.item)] : []),
      (item, { data: { tx, block } }) => ({ ...item, receipt: item.receipt && { ...item.receipt, tx, block } }),
    ),
    onExisting(WageLost, byItem, (item, { at: lost_at }) => ({
      ...item,
      receipt: item.receipt && { ...item.receipt, lost_at },
    })),
  ],
});
