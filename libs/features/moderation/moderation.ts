import { randomUUID } from 'node:crypto';
import { carryOut } from '#libs/event-log/carry-out.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { Source } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { Muse } from '#libs/domain/muse.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { decidedBy, type Decision } from '#libs/endpoints/decision.js';
import { jobRemoved, removeJob } from './remove-job.js';
import { removed, removePost } from './remove-post.js';
import { reinstate, reinstated, suspend, suspended } from './suspend.js';

interface Moderating {
  readonly journal: Journal;
  readonly clock: Clock;
}

/**
 * What the operator does to muses, posts and jobs, with the reason on the event. Each answers whether anything changed,
 * and throws a `Refusal` where there is no such muse, post or job.
 */
export class Moderation {
  constructor(
    private readonly moderating: Moderating,
    private readonly reason: string,
  ) {}

  suspend = (museId: string) => this.write(suspend, Muse.of(museId), suspended);
  reinstate = (museId: string) => this.write(reinstate, Muse.of(museId), reinstated);
  removePost = (post: number) => this.write(removePost, Post.of(post), removed);
  removeJob = (role: string) => this.write(removeJob, Job.of(role), jobRemoved);

  /** The house closes its own roles, as every poster does. */
  async isOfHouse(role: string): Promise<boolean> {
    const { state } = await this.moderating.journal.load(Job.of(role));
    return state.status !== 'unknown' && state.poster === null;
  }

  private async write<S>(rules: Decision, writes: Source<S>, decide: (state: S, at: number) => Fact[]) {
    const { journal, clock } = this.moderating;
    const at = clock.now();
    const requestKey = `operator/${rules.name}/${randomUUID()}`;
    const context = {
      actor: 'operator',
      at,
      requestKey,
      cause: requestKey,
      basedOn: {},
      decidedBy: decidedBy(rules),
      authorization: { mode: 'operator', reason: this.reason } as const,
    };
    const { events } = await carryOut(journal, context, { writes, decide: state => decide(state, at) });
    return events.length > 0;
  }
}
