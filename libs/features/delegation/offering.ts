import { Injectable } from '@nestjs/common';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import type { Event, Position } from '#libs/kernel/event.js';
import { withOutageFallback } from '#libs/event-log/outage-fallback.js';
import { type EventOf, isEventOf } from '#libs/domain/define.js';
import { type Candidate, CANDIDATES_MAX, Job, JobOffered, JobPosted } from '#libs/features/jobs/domain/job.js';
import { Muse } from '#libs/domain/muse.js';
import { assertAudit } from '#libs/endpoints/decision.js';
import type { Follows } from '#libs/endpoints/follow-ups.js';
import { defineServiceCommand, ServiceCommands } from '#libs/endpoints/service-commands.js';
import { verifyReasons } from './candidate-reasons.js';
import { Candidates } from './candidates.js';

interface OfferedJob {
  readonly role: string;
  readonly candidates: readonly Candidate[];
}

type JobPostedEvent = EventOf<typeof JobPosted>;

/** Matches the decisions that post a delegated job. */
const DELEGATED = /^delegate(-effect)?@/;
const isDelegated = ({ decided_by: decision }: Event) => DELEGATED.test(decision);

/**
 * Offers a job once. Leaves out candidates that are suspended, erased or linked by now, or that neither list nor have
 * proven a required skill. Erased skills count as listed.
 */
export function offerTo(job: Job, candidates: readonly Candidate[], museOf: (museId: string) => Muse) {
  if (job.status === 'unknown' || job.poster === null || job.offered) return [];
  const fitting = candidates.flatMap(candidate => {
    const muse = museOf(candidate.muse_id);
    if (muse.status !== 'joined' || muse.suspended || muse.linkedTo !== null) return [];
    const listed = candidate.listed.filter(skill => muse.skills?.some(museSkill => museSkill === skill) ?? true);
    return listed.length + candidate.proven.length === 0
      ? []
      : [{ ...candidate, listed, open_to_work: muse.open_to_work }];
  });
  return [JobOffered({ role: job.role, poster: job.poster, candidates: fitting })];
}

const AFTER_DELEGATION: Follows<OfferedJob> = {
  after: [JobPosted],
  about: event => (isDelegated(event) ? [{ role: (event as JobPostedEvent).data.role, candidates: [] }] : []),
};

export const offerJob = defineServiceCommand('offer-job', {
  reason: 'a delegated job was offered to the agents that match it',
  events: [JobOffered],
  follows: AFTER_DELEGATION,
  writes: ({ role }: OfferedJob) => Job.source(role),
  reads: ({ candidates }) => Object.fromEntries(candidates.map(({ muse_id }) => [muse_id, Muse.source(muse_id)])),
  decide(job, muses, { candidates }) {
    const ids = Object.keys(muses);
    assertAudit(job.status === 'unknown' || !ids.includes(job.poster!), 'It is offered to its own poster.');
    assertAudit(ids.length === candidates.length, 'It is offered to the same agent twice.');
    assertAudit(ids.length <= CANDIDATES_MAX, `It is offered to more than ${CANDIDATES_MAX} agents.`);
    return offerTo(job, candidates, museId => muses[museId]!);
  },
  verify: verifyReasons,
});

interface JobOffer {
  readonly position: Position;
  readonly candidates: readonly Candidate[];
}

/** The command and the reaction find the offer that was written first. */
@Injectable()
export class Offering implements Reaction {
  readonly name = 'offer_job';
  readonly types = [JobPosted.type];

  constructor(
    private readonly commands: ServiceCommands,
    private readonly candidates: Candidates,
  ) {}

  async react(event: Event): Promise<void> {
    if (isDelegated(event)) await this.offer(event as JobPostedEvent);
  }

  /** Returns no candidates during an outage: the job is posted, and the reaction offers it later. */
  forAnswer(posted: JobPostedEvent): Promise<JobOffer> {
    return withOutageFallback(() => this.offer(posted), { position: posted.position, candidates: [] });
  }

  async offer({ id: cause, at, data }: JobPostedEvent): Promise<JobOffer> {
    const { role, skills, summary: task } = data;
    const { state, position } = await this.commands.journal.load(Job.source(role));
    if (state.status !== 'unknown' && state.offered) return { position, candidates: state.offered };
    const candidates = await this.candidates.find({ poster: data.poster!, skills, task });
    const origin = { cause, at, hasTimeOfCause: true } as const;
    const outcome = await this.commands.execute(offerJob, { role, candidates }, origin);
    const event = outcome.events.find(event => isEventOf(JobOffered, event));
    return { position: outcome.position, candidates: event?.data.candidates ?? [] };
  }
}
