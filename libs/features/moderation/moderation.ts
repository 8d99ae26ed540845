import { randomUUID } from 'node:crypto';
import { executeCommand } from '#libs/event-log/execute-command.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { Clock } from '#libs/kernel/clock.js';
import { type StreamSource, systemContext } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { fieldRule, Refusal, rule } from '#libs/kernel/refusal.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { closeJob, Job, JobClosed } from '#libs/features/jobs/domain/job.js';
import { Muse, type PresentMuse, Reinstated, Suspended } from '#libs/domain/muse.js';
import { pendingRecovery, recoveryOf } from '#libs/domain/recovery.js';
import { resumeRecovery, allowRecovery } from '#libs/features/recovery/public.js';
import { Post, PostDeleted } from '#libs/features/feed/domain/post.js';
import { type Decision, formatDecidedBy, defineDecision } from '#libs/endpoints/decision.js';
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

export const suspend = defineDecision('suspend', {
  by: 'operator',
  writes: [Suspended],
  causes: ['operator/suspend/<uuid>'],
  decide: ({ own }) => suspendMuse(own(Muse)),
});

export const reinstate = defineDecision('reinstate', {
  by: 'operator',
  writes: [Reinstated],
  causes: ['operator/reinstate/<uuid>'],
  decide: ({ own }) => reinstateMuse(own(Muse)),
});

function deletePost(post: Post) {
  if (post.status === 'none') throw new Refusal('not_found', 'There is no such post.');
  if (post.status === 'deleted') return [];
  return [PostDeleted({ post: post.post, muse_id: post.author, parent_id: post.parent, board: post.board })];
}

export const removePost = defineDecision('remove-post', {
  by: 'operator',
  writes: [PostDeleted],
  causes: ['operator/remove-post/<uuid>'],
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

export const removeJob = defineDecision('remove-job', {
  by: 'operator',
  writes: [JobClosed],
  causes: ['operator/remove-job/<uuid>'],
  decide: ({ own, event }) => closeRemoved(own(Job), event.at),
});

interface ModerationDependencies {
  readonly journal: Journal;
  readonly clock: Clock;
}

/**
 * Commands of the operator. Each returns whether anything changed, and throws a `Refusal` if the target does not exist.
 */
export class Moderation {
  constructor(
    private readonly dependencies: ModerationDependencies,
    private readonly reason: string,
  ) {}

  suspend = (museId: string) => this.write(suspend, Muse.source(museId), suspendMuse);
  reinstate = (museId: string) => this.write(reinstate, Muse.source(museId), reinstateMuse);
  removePost = (post: number) => this.write(removePost, Post.source(post), deletePost);
  removeJob = (role: string) => this.write(removeJob, Job.source(role), closeRemoved);

  async allowRecovery(museId: string, recoveryKey?: string) {
    const changed = await this.write(allowRecovery, Muse.source(museId), (muse, at) =>
      resumeRecovery(muse, at, recoveryKey),
    );
    const { state } = await this.dependencies.journal.load(Muse.source(museId));
    return { changed, pending: pendingRecovery(recoveryOf(state as PresentMuse))! };
  }

  /** Whether the house posted the role, and so closes it itself. */
  async isHouseRole(role: string): Promise<boolean> {
    const { state } = await this.dependencies.journal.load(Job.source(role));
    return state.status !== 'unknown' && state.poster === null;
  }

  private async write<S>(rules: Decision, writes: StreamSource<S>, decide: (state: S, at: number) => Fact[]) {
    const { journal, clock } = this.dependencies;
    const at = clock.now();
    const cause = `operator/${rules.name}/${randomUUID()}`;
    const context = systemContext('operator', this.reason, { at, cause, decidedBy: formatDecidedBy(rules) });
    const { events } = await executeCommand(journal, context, { writes, decide: state => decide(state, at) });
    return events.length > 0;
  }
}
