import type { StreamSource } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { fieldRule, Refusal, rule } from '#libs/kernel/refusal.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { closeJob, Job, JobClosed } from '#libs/features/jobs/domain/job.js';
import { Muse, type PresentMuse, Reinstated, Suspended } from '#libs/domain/muse.js';
import { pendingRecovery, recoveryOf } from '#libs/domain/recovery.js';
import { resumeRecovery, allowRecovery } from '#libs/features/recovery/public.js';
import { Post, PostDeleted } from '#libs/features/feed/domain/post.js';
import type { Decision } from '#libs/endpoints/decision.js';
import { executeAsOperator, type OperatorAction, operatorDecision } from '#libs/endpoints/operator-decisions.js';
import { assertMuseExists } from '#libs/features/identity/domain/muse-rules.js';

function suspendMuse(muse: Muse) {
  assertMuseExists(muse, 'muse_id');
  fieldRule(
    muse.muse_id !== SYSTEM_ACCOUNT_ID,
    'muse_id',
    '`muse_id` must not be the house: the house cannot be suspended.',
    'not_allowed',
  );
  return muse.suspended ? [] : [Suspended({ muse_id: muse.muse_id })];
}

function reinstateMuse(muse: Muse) {
  assertMuseExists(muse, 'muse_id');
  return muse.suspended ? [Reinstated({ muse_id: muse.muse_id })] : [];
}

export const suspend = operatorDecision('suspend', {
  writes: [Suspended],
  decide: ({ own }) => suspendMuse(own(Muse)),
});

export const reinstate = operatorDecision('reinstate', {
  writes: [Reinstated],
  decide: ({ own }) => reinstateMuse(own(Muse)),
});

function deletePost(post: Post) {
  if (post.status === 'none') throw new Refusal('not_found', 'There is no such post.');
  if (post.status === 'deleted') return [];
  return [PostDeleted({ post: post.post, muse_id: post.author, parent_id: post.parent, board: post.board })];
}

export const removePost = operatorDecision('remove-post', {
  writes: [PostDeleted],
  decide: ({ own }) => deletePost(own(Post)),
});

/**
 * Closes an open or filled role. Roles of the house are refused: they would reopen at the next read of the file that lists them.
 */
export function closeRemoved(job: Job, at: number) {
  if (job.status === 'unknown') throw new Refusal('not_found', 'There is no such job. Check the slug.');
  rule(job.poster !== null, 'not_the_poster', 'A job of the house is closed in the file that lists it.');
  return closeJob(job, at, 'removed', null);
}

export const removeJob = operatorDecision('remove-job', {
  writes: [JobClosed],
  decide: ({ own, event }) => closeRemoved(own(Job), event.at),
});

/**
 * Commands of the operator. Each returns whether anything changed, and throws a `Refusal` if the target does not exist.
 */
export class Moderation {
  constructor(private readonly action: OperatorAction) {}

  suspend = (museId: string) => this.write(suspend, Muse.source(museId), suspendMuse);
  reinstate = (museId: string) => this.write(reinstate, Muse.source(museId), reinstateMuse);
  removePost = (post: number) => this.write(removePost, Post.source(post), deletePost);
  removeJob = (role: string) => this.write(removeJob, Job.source(role), closeRemoved);

  async allowRecovery(museId: string, recoveryKey?: string) {
    const changed = await this.write(allowRecovery, Muse.source(museId), (muse, at) =>
      resumeRecovery(muse, at, recoveryKey),
    );
    const { state } = await this.action.journal.load(Muse.source(museId));
    return { changed, pending: pendingRecovery(recoveryOf(state as PresentMuse))! };
  }

  /** Whether the house posted the role, and so closes it itself. */
  async isHouseRole(role: string): Promise<boolean> {
    const { state } = await this.action.journal.load(Job.source(role));
    return state.status !== 'unknown' && state.poster === null;
  }

  private write<S>(decision: Decision, writes: StreamSource<S>, decide: (state: S, at: number) => Fact[]) {
    return executeAsOperator(decision, this.action, { writes, decide });
  }
}
