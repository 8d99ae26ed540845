import { randomUUID } from 'node:crypto';
import { executeCommand } from '#libs/event-log/execute-command.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { StreamSource } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { Muse } from '#libs/domain/muse.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { formatDecidedBy, type Decision } from '#libs/endpoints/decision.js';
import { closeRemoved, removeJob } from './remove-job.js';
import { deletePost, removePost } from './remove-post.js';
import { reinstate, reinstateMuse, suspend, suspendMuse } from './suspend.js';

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

  /** Whether the house posted the role, and so closes it itself. */
  async isHouseRole(role: string): Promise<boolean> {
    const { state } = await this.dependencies.journal.load(Job.source(role));
    return state.status !== 'unknown' && state.poster === null;
  }

  private async write<S>(rules: Decision, writes: StreamSource<S>, decide: (state: S, at: number) => Fact[]) {
    const { journal, clock } = this.dependencies;
    const at = clock.now();
    const requestKey = `operator/${rules.name}/${randomUUID()}`;
    const context = {
      actor: 'operator',
      at,
      requestKey,
      cause: requestKey,
      basedOn: {},
      decidedBy: formatDecidedBy(rules),
      authorization: { mode: 'operator', reason: this.reason } as const,
    };
    const { events } = await executeCommand(journal, context, { writes, decide: state => decide(state, at) });
    return events.length > 0;
  }
}
