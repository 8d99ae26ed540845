import { rule } from '#libs/kernel/refusal.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { RAILS } from '#libs/payments/rails.js';
import { canonicalJson } from '#libs/signing/canonical-json.js';
import type { EventOf } from '#libs/streams/define.js';
import { Job, JobClosed, JobPosted, JobUpdated } from '#libs/streams/job.js';
import type { Deciding } from '#libs/verbs/acting.js';
import { type Asked, decision, shown } from '#libs/verbs/decision.js';
import { feeOf, termsOf } from './job-terms.js';
import type { HouseRole } from './roles-file.js';

/** Posts a new role, says what a known one says now, opens one that was gone or full; nothing where nothing changed. */
export function keepRole(job: Job, said: HouseRole, rails: readonly Rail[], { ids }: Pick<Deciding, 'ids'>) {
  const role = said.slug;
  // The house pays no fee to itself.
  const terms = { ...termsOf(said), budget: feeOf(said, rails)?.budget ?? null };
  if (job.status === 'unknown') {
    const item = ids.item('job');
    const nothing = { payment: null, project: null, again_of: null, expires_at: null };
    return [JobPosted({ role, item, poster: null, ...terms, ...nothing })];
  }
  rule(job.poster === null, 'not_the_poster', `The role ${role} is somebody’s job and none of the house.`);
  const reopens = job.status === 'closed' && (job.reason === 'removed' || hasMoreSeats(job, terms));
  return !reopens && canonicalJson(job.terms) === canonicalJson(terms) ? [] : [JobUpdated({ role, ...terms, reopens })];
}

/** Whether a role that was closed as filled has a free seat now, because its file says more of them. */
function hasMoreSeats(job: Extract<Job, { status: 'closed' }>, { seats }: { readonly seats: number }): boolean {
  return job.reason === 'filled' && seats > job.seats && seats > job.filled.size;
}

export const keepHouseRole = decision('keep-house-role', {
  by: 'operator',
  writes: [JobPosted, JobUpdated],
  decide: asked => keepRole(asked.own(Job), houseRole(asked), RAILS, asked.deciding),
});

/** What the house's file must have said. */
function houseRole({ event }: Asked): HouseRole {
  const { role, title, summary, done, budget, seats, skills, trial, terms } = (event as EventOf<typeof JobPosted>).data;
  return {
    slug: role,
    title: shown(title),
    summary: shown(summary),
    done: shown(done),
    skills,
    seats,
    ...(trial !== null && { trial }),
    ...(terms !== null && { terms }),
    ...(budget && { budget: budget.amount, rail: budget.rail }),
  };
}

/** Closes a role that the file does not name any more. */
export function removeRole(job: Job) {
  if (job.status !== 'open') return [];
  return [JobClosed({ role: job.role, poster: null, closed_reason: 'removed', note: null })];
}

export const removeHouseRole = decision('remove-house-role', {
  by: 'operator',
  writes: [JobClosed],
  decide: ({ own }) => removeRole(own(Job)),
});
