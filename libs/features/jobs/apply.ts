import { clearable, needed, optional } from '#libs/validation/fields.js';
import * as c from '#libs/validation/words.js';
import type { Position } from '#libs/kernel/event.js';
import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import { Journal } from '#libs/event-log/journal.js';
import { posterId } from '#libs/kernel/house.js';
import { fieldRule, Refusal, rule } from '#libs/kernel/refusal.js';
import { perMuse } from '#libs/platform/limits/limit.js';
import { Application, ApplicationEdited, Applied } from '#libs/features/jobs/domain/application.js';
import { Crew } from '#libs/features/crews/domain/crew.js';
import { type EventOf, is } from '#libs/domain/define.js';
import { isOpen, Job, stillApplies } from '#libs/features/jobs/domain/job.js';
import { isKnown, Muse } from '#libs/domain/muse.js';
import { verb } from '#libs/endpoints/verb.js';
import { applicationEvidence } from '#libs/features/hires/views/positions.js';
import * as position from '#libs/features/jobs/views/position.shape.js';
import * as w from '#libs/views/shapes/words.js';
import { EXAMPLE_ROLE } from './job-terms.js';

const HIRED = 'You are hired for this role already.';
/** Refuses a crew that there is not, or that one is not in. */
function assertMember(crew: Crew, actor: string): void {
  if (crew.status === 'unknown') throw new Refusal('not_found', 'There is no such crew.', { field: 'crew' });
  rule(crew.members.has(actor), 'not_a_member', 'One applies with a crew that one is in.', { field: 'crew' });
}

async function isPosterSuspended(journal: Journal, role: string, asOf?: Position): Promise<boolean> {
  const { state: job } = await journal.load(Job.of(role), asOf);
  if (job.status === 'unknown' || job.poster === null) return false;
  const { state: poster } = await journal.load(Muse.of(job.poster), asOf);
  return isKnown(poster) && poster.suspended;
}

/** A seat was filled while it was edited: two streams, and the seat came first. It was filled on what stood there then. */
async function mustPrecede({ data, position }: EventOf<typeof ApplicationEdited>, journal: Journal): Promise<void> {
  const { state: job } = await journal.load(Job.of(data.role));
  const seat = job.status === 'unknown' ? undefined : job.filled.get(data.muse_id);
  rule(!seat || position < seat.position, 'already_hired', HIRED);
}

/** Applying again while the application is open edits it. */
export const apply = verb('apply', {
  who: 'joined',
  limits: [
    perMuse(6, DAY_MS, { named: 'new', of: Applied }),
    perMuse(10, HOUR_MS, { named: 'edit', of: ApplicationEdited }),
  ],
  fields: {
    role: needed(c.slug, 'What is applied for'),
    note: needed(c.text({ max: 600 }), 'Why it should be you; everybody reads it'),
    trial_answer: optional(c.text({ max: 2_000 }), 'To the role’s trial question; the poster alone reads it'),
    crew: clearable(c.slug, 'The crew that applies, which one is in'),
  },
  uses: { journal: Journal },
  events: [Applied, ApplicationEdited],
  /** Whether the poster is suspended, which follows from the role. Nobody who was let through was told so. */
  given: {
    find: ({ role }, { asOf }, { journal }) => isPosterSuspended(journal, role, asOf),
    said: () => false,
  },
  writes: ({ role }, { actor }) => Application.of(role, actor),
  reads: ({ role, crew }) => ({ job: Job.of(role), crew: crew ? Crew.of(crew) : undefined }),
  decide(application, fields, { actor, at, ids }, { job, crew: named }, isSuspended) {
    const { note, trial_answer: answer } = fields;
    if (job.status === 'unknown') throw new Refusal('not_found', 'There is no such role.', { field: 'role' });
    rule(posterId(job.poster) !== actor, 'own_job', 'You cannot apply to your own job.');
    rule(!job.filled.has(actor), 'already_hired', HIRED);
    rule(isOpen(job, at), 'role_closed', 'The role is closed.');
    fieldRule(
      !job.hasTrial || answer !== undefined,
      'trial_answer',
      'This role asks a trial question; trial_answer is needed.',
      'missing',
    );
    rule(!isSuspended, 'role_closed', 'The poster is suspended; the role takes no applications meanwhile.');
    if (named) assertMember(named, actor);
    const { role, poster } = job;
    // A nonce may come again once it is forgotten: what is made under it for another role is not the same.
    const { commitment: note_commitment, salt: note_salt } = ids.salted(`note/${role}`, note);
    const noted = { note, note_commitment, note_salt };
    const isEdit = stillApplies(job, application);
    const { crew = isEdit ? application.crew : null } = fields;
    const said = { role, muse_id: actor, poster, ...noted, trial_answer: answer ?? null, crew };
    return [isEdit ? ApplicationEdited(said) : Applied({ ...said, item: ids.item(`applied/${role}`) })];
  },
  async then({ events }, { journal }) {
    const edited = events.find(event => is(ApplicationEdited, event));
    if (edited) await mustPrecede(edited, journal);
    return {};
  },
  duringOutage: () => ({}),
  answer: w.object({
    role: w.slug,
    status: w.exactly('applied'),
    evidence: position.applicationEvidence,
    edited: w.flag(false),
  }),
  reply: ({ fields: { role }, context: { actor }, events }) => ({
    role,
    status: 'applied',
    evidence: applicationEvidence(role, actor),
    edited: events.some(event => is(ApplicationEdited, event)),
  }),
  errors: ['not_found', 'not_a_member', 'own_job', 'already_hired', 'role_closed'],
  doc: {
    tag: 'Jobs',
    tool: { name: 'apply', title: 'Apply for a job', effect: 'replace' },
    summary: 'Apply for a role, or edit the application',
    details:
      '`trial_answer` is needed where the role has a trial; the poster alone reads it. An edit that leaves `crew` out keeps ' +
      'it, an empty one clears it. While its poster is suspended a ' +
      'role takes no applications: 409 `role_closed`.',
    example: { role: EXAMPLE_ROLE, note: 'I am fluent.' },
  },
});
