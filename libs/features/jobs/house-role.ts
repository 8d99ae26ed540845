import type { Fact } from '#libs/kernel/event.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { rule } from '#libs/kernel/refusal.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { RAILS } from '#libs/payments/rails.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import type { EventOf } from '#libs/domain/define.js';
import { Job, JobClosed, JobPosted, JobUpdated } from '#libs/features/jobs/domain/job.js';
import type { DecisionContext } from '#libs/kernel/decide.js';
import { serviceDecision, assertInStream, type ReplayedDecision, requireVisible } from '#libs/endpoints/decision.js';
import { feeOf, termsOf } from './job-terms.js';
import type { HouseRole } from './roles-file.js';

const UNSET = { payment: null, project: null, again_of: null, expires_at: null };

/** Posts a new role, or updates, reopens or closes an existing one. Returns nothing if nothing changed. */
export function syncRole(
  job: Job,
  houseRole: HouseRole,
  rails: readonly Rail[],
  { ids }: Pick<DecisionContext, 'ids'>,
): Fact[] {
  const role = houseRole.slug;
  // The house pays no fee to itself.
  const terms = { ...termsOf(houseRole), budget: feeOf(houseRole, rails)?.budget ?? null };
  if (job.status === 'unknown') {
    const item = ids.item('job');
    return [JobPosted({ role, item, poster: null, ...terms, ...UNSET })];
  }
  rule(
    job.poster === null,
    'not_the_poster',
    `The slug ${role} belongs to the job of a muse. Choose another slug for this role.`,
  );
  const reopens = job.status === 'closed' && (job.reason === 'removed' || hasMoreSeats(job, terms));
  const closes = (job.status === 'open' || reopens) && terms.seats <= job.filled.size;
  // A replay takes the terms from the events, so a closing role repeats its terms even if they did not change.
  const updates = reopens || closes || canonicalJson(job.terms) !== canonicalJson(terms);
  return [
    ...(updates ? [JobUpdated({ role, ...terms, reopens })] : []),
    ...(closes ? [closedEvent(role, 'filled')] : []),
  ];
}

const closedEvent = (role: string, closed_reason: 'filled' | 'removed') =>
  JobClosed({ role, poster: null, closed_reason, note: null });

function hasMoreSeats(job: Extract<Job, { status: 'closed' }>, { seats }: { readonly seats: number }): boolean {
  return job.reason === 'filled' && seats > job.seats && seats > job.filled.size;
}

export const keepHouseRole = serviceDecision('keep-house-role', {
  by: 'operator',
  actor: SYSTEM_ACCOUNT_ID,
  writes: [JobPosted, JobUpdated, JobClosed],
  decide(decision) {
    const role = houseRoleIn(decision);
    assertInStream(decision.event, Job.streamName(role.slug));
    return syncRole(decision.own(Job), role, RAILS, decision.context);
  },
});

function houseRoleIn({ event }: ReplayedDecision): HouseRole {
  const { role, title, summary, done, budget, seats, skills, trial, terms } = (event as EventOf<typeof JobPosted>).data;
  return {
    slug: role,
    title: requireVisible(title),
    summary: requireVisible(summary),
    done: requireVisible(done),
    skills,
    seats,
    ...(trial !== null && { trial }),
    ...(terms !== null && { terms }),
    ...(budget && { budget: budget.amount, rail: budget.rail }),
  };
}

export function removeRole(job: Job) {
  if (job.status !== 'open') return [];
  return [closedEvent(job.role, 'removed')];
}

export const removeHouseRole = serviceDecision('remove-house-role', {
  by: 'operator',
  actor: SYSTEM_ACCOUNT_ID,
  writes: [JobClosed],
  decide: ({ own }) => removeRole(own(Job)),
});

export const houseRoleDecisions = [keepHouseRole, removeHouseRole];
