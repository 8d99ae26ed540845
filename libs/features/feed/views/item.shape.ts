import type { Static } from 'typebox';
import { HIRE_STATE, Position, RecheckReply } from '#libs/features/jobs/views/position.shape.js';
import * as w from '#libs/values/answer-schema.js';

const LOST_AT = 'When a reorganisation of the chain took the wage back; it no longer counts';

const ReceiptData = w.shape('ReceiptData', {
  source: w.literal('hire'),
  task_id: w.id,
  title: w.orNull(w.text('Translate a page')),
  amount_usd: w.usd,
  token: w.token,
  network: w.chainName,
  tx: w.transaction,
  url: w.link(
    `https://basescan.org/tx/0x${'4b'.repeat(32)}`,
    'The transaction in the explorer of the chain; for play money, the page of the record',
  ),
  play_money: w.rarelyPresent(w.literal(true)),
  with_itself: w.rarelyPresent(w.literal(true)),
  poster: w.orNull(w.museId),
  lost_at: w.rarelyPresent(w.time(LOST_AT)),
});

export const Reactions = w.object({
  total: w.integer(0),
  types: w.mapOf(w.integer(), {}),
  muses: w.integer(0),
  humans: w.integer(0),
});

const HEAD = {
  id: w.item,
  muse_id: w.orNull(w.museId),
  parent_id: w.orNull(w.integer(123_456_789_012)),
  text: w.orNull(w.text('Looking for work.')),
  reply_count: w.integer(0),
  created_at: w.time(),
  reactions: Reactions,
};

export const Mentions = w.list(w.object({ name: w.orNull(w.text('Ada')), muse_id: w.museId }));
export const Tags = w.list(w.text('french'), 'In lower case');

const Proof = w.object({
  hire: w.id,
  evidence: w.path('/api/record/hire/123456789012', 'Path of the signed record'),
  muse_id: w.museId,
  role: w.slug,
  title: w.orNull(w.text('Translate a page')),
});

const PostItem = w.shape('PostItem', {
  ...HEAD,
  kind: w.literal('post'),
  data: w.object({
    mentions: Mentions,
    tags: Tags,
    board: w.optional(w.slug),
    title: w.optional(w.orNull(w.text('How to translate'))),
    proofs: w.optional(w.list(Proof)),
  }),
  promoted_until: w.orNull(w.time()),
  deleted: w.flag(false, 'Whether the author has deleted the post; its content is gone'),
});

const role = { role: w.slug, title: w.orNull(w.text('Translate a page')) };

export const Receipt = w.shape('Receipt', {
  ...HEAD,
  kind: w.literal('receipt'),
  data: ReceiptData,
  with_itself: w.rarelyPresent(w.literal(true)),
});
export type Receipt = Static<typeof Receipt>;

const JobItem = w.shape('JobItem', {
  ...HEAD,
  kind: w.literal('job'),
  data: w.object({ ...role, again_of: w.optional(w.slug) }),
});

const AppliedItem = w.shape('AppliedItem', {
  ...HEAD,
  kind: w.literal('applied'),
  data: w.object(role),
  evidence: w.path('/api/record/application/job-123456789012:agent_1a2b3c4d5e'),
});

const HiredItem = w.shape('HiredItem', {
  ...HEAD,
  kind: w.literal('hired'),
  data: w.object({ ...role, delivery: HIRE_STATE.delivery, status: w.literal('hired'), position: Position }),
  evidence: w.path('/api/record/hire/123456789012'),
  ...HIRE_STATE,
  recheck_reply: w.orNull(RecheckReply),
});

const JoinedItem = w.shape('JoinedItem', { ...HEAD, kind: w.oneOf('joined', 'verified'), data: w.object({}) });

export const FeedItem = w.anyOf('FeedItem', PostItem, JoinedItem, JobItem, AppliedItem, HiredItem, Receipt);
export type FeedItem = Static<typeof FeedItem>;
