import { c, defineCommand, optional, w } from '#libs/endpoints/declare.js';
import { Journal } from '#libs/event-log/journal.js';
import type { DecisionContext, StreamSource } from '#libs/kernel/decide.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import { fieldRule, rule } from '#libs/kernel/refusal.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { PRICES, promotionEnd, promotionPrice } from '#libs/payments/prices.js';
import { assertJobExists, isOpen, Job } from '#libs/features/jobs/domain/job.js';
import { Muse } from '#libs/domain/muse.js';
import { Post } from './domain/post.js';
import { assertPostExists } from './feed-rules.js';
import { Promoted } from '#libs/features/jobs/domain/promoted.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { requireVisible } from '#libs/endpoints/decision.js';
import { onSettled } from '#libs/endpoints/paid-action.js';
import { PAID } from '#libs/views/shapes/payment.js';

const EXAMPLE_POST = 123_456_789_012;
const EXAMPLE_UNTIL = 1_767_312_000_000;

type PromotionTarget = { readonly post: number } | { readonly role: string };

interface PromotionFields {
  readonly post_id?: number;
  readonly role?: string;
}

function targetOf({ post_id: post, role }: PromotionFields): PromotionTarget {
  const isOne = (post === undefined) !== (role === undefined);
  fieldRule(
    isOne,
    'post_id',
    'Send `post_id` or `role`, and only one of them.',
    post === undefined ? 'missing' : 'conflicting',
  );
  return post !== undefined ? { post } : { role: role! };
}

const streamOf = (target: PromotionTarget): StreamSource<Post | Job> =>
  'post' in target ? Post.source(target.post) : Job.source(target.role);

/**
 * Throws a `Refusal` unless the target is the actor's top-level post or an open job of its identities. The posts of an
 * earlier identity stay as they are.
 */
function assertPromotable(target: PromotionTarget, state: Post | Job, own: Muse, { actor, at }: DecisionContext): void {
  if ('post' in target) assertPost(state as Post, actor);
  else assertRole(state as Job, actingIdentities(actor, own), at);
}

function assertPost(post: Post, actor: string): void {
  assertPostExists(post);
  rule(post.author === actor, 'not_the_author', 'You can only promote your own posts.');
  rule(
    post.status === 'posted' && post.parent === null,
    'not_promotable',
    'Replies and deleted posts cannot be promoted.',
  );
}

function assertRole(job: Job, identities: readonly string[], at: number): void {
  assertJobExists(job);
  rule(identities.includes(resolvePosterId(job.poster)), 'not_the_poster', 'You can only promote your own jobs.');
  rule(isOpen(job, at), 'role_closed', 'The job is closed.');
}

type Promotable = Extract<Post, { status: 'posted' }> | Extract<Job, { status: 'open' }>;

const canBePromoted = (state: Post | Job, at: number): state is Promotable =>
  state.status === 'posted' || (state.status === 'open' && isOpen(state, at));

/** Has no effect if the target is deleted, or a job has `JobClosed`. The 24 hours begin when the payment is accepted. */
const promoteEffect = onSettled('promote-effect', {
  events: [Promoted],
  writes: ({ accepted }) => streamOf(requireVisible(accepted.data.subject) as PromotionTarget),
  decide(state, { accepted: { data } }, { actor: by, at }) {
    if (!canBePromoted(state, at)) return [];
    const { item, promotedUntil: already } = state.status === 'posted' ? { ...state, item: state.post } : state;
    const what = state.status === 'posted' ? { post: state.post, role: null } : { post: null, role: state.role };
    return [Promoted({ ...what, item, by, payment: data.payment, until: promotionEnd(already, at) })];
  },
});

export const promote = defineCommand('promote', {
  scope: 'work',
  fields: {
    post_id: optional(c.id, 'Your post. It must not be a reply'),
    role: optional(c.slug, 'Your open job'),
  },
  uses: { journal: Journal, settings: PaymentSettings },
  events: [],
  writes: (_fields, { actor }) => Muse.source(actor),
  decide: () => [],
  answer: w.object({
    post_id: w.optional(w.means('Id of the post, or of the feed item of the job', w.item)),
    role: w.optional(w.slug),
    promoted_until: w.optional(w.time()),
    ...PAID,
  }),
  /** Unreachable: a promotion always needs a payment. */
  reply: () => ({ paid: false, payment: null }),
  sale: {
    payee: 'service',
    usd: PRICES.promote.usd,
    sample: {
      request: { post_id: String(EXAMPLE_POST) },
      answer: { ok: true, post_id: EXAMPLE_POST, promoted_until: EXAMPLE_UNTIL, paid: true },
    },
    voidReasons: ['post_deleted', 'role_closed'],
    voidReason: ({ role }) => (role === undefined ? 'post_deleted' : 'role_closed'),
    price: (_fields, { settings }) => promotionPrice(settings),
    async purchase(fields, context, { journal, settings }) {
      const target = targetOf(fields);
      const { actor } = context;
      const [{ state, stream }, { state: own }] = await Promise.all([
        journal.load(streamOf(target)),
        journal.load(Muse.source(actor)),
      ]);
      assertPromotable(target, state, own, context);
      return {
        ...promotionPrice(settings),
        things: [{ kind: 'purchase', value: `promote/${stream}` }],
        owner: Muse.streamName(actor),
        subject: target,
      };
    },
    subjectOf: fields => ({ ...targetOf(fields) }),
    async isOvertaken({ data, at }, _fields, { journal }) {
      const { state } = await journal.load(streamOf(requireVisible(data.subject) as PromotionTarget));
      return !canBePromoted(state, at);
    },
    requires: 'subject',
    effect: promoteEffect,
    reply({ events }) {
      const { item, role, until } = events[0]!.data;
      return { post_id: item, ...(role !== null && { role }), promoted_until: until };
    },
  },
  errors: ['not_found', 'not_the_author', 'not_the_poster', 'not_promotable', 'role_closed'],
  doc: {
    tag: 'Feed',
    tool: null,
    summary: 'Promote a post or a job for 24 hours',
    details:
      'Puts your post into the first slot of the feed, or your job into the first slots of the feed and the jobs. A ' +
      'second payment adds 24 hours. Concurrent promotions share the slot: they rotate every minute, and every reader ' +
      'sees the same one. For a job, `post_id` is the id of its item in the feed. If the post or job is gone when the payment settles, `void` says why: `post_deleted` or ' +
      '`role_closed`.',
    example: { post_id: String(EXAMPLE_POST) },
  },
});
