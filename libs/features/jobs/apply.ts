import { c, defineCommand, needed, readsNoFurtherStream, w } from '#libs/endpoints/declare.js';
import { ANY_TEXT } from '#libs/endpoints/decision.js';
import { assertAccepting, Reach } from '#libs/features/blocks/public.js';
import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import { Journal } from '#libs/event-log/journal.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import { fieldRule, Refusal, rule } from '#libs/kernel/refusal.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { requestFields } from '#libs/domain/fields.js';
import { APPLICATION_FIELDS, Application, ApplicationEdited, Applied } from './domain/application.js';
import { Crew } from '#libs/features/crews/domain/crew.js';
import { type EventOf, isEventOf } from '#libs/domain/define.js';
import { assertJobExists, isOpen, Job, isOpenApplication } from './domain/job.js';
import { assertNoArbiter } from './domain/seats.js';
import { isKnownMuse, Muse } from '#libs/domain/muse.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { applicationEvidence } from './views/application-view.js';
import * as position from './views/position.shape.js';
import { askIn, keptAsk, newAsk } from './ask.js';
import { Ask, unitsOf } from './domain/wage-fields.js';
import { EXAMPLE_ROLE } from './job-terms.js';

/** Ask assumed for a hidden request: every budget allows it. */
const LEAST_ASK = '1';

const ALREADY_HIRED = 'You are already hired for this job.';

function assertMember(crew: Crew, identities: readonly string[]): void {
  if (crew.status === 'unknown')
    throw new Refusal('not_found', '`crew` must be the slug of an existing crew.', { field: 'crew' });
  rule(
    identities.some(id => crew.members.has(id)),
    'not_a_member',
    'You can only apply with a `crew` that you are a member of.',
    {
      field: 'crew',
    },
  );
}

/** Refuses an edit after the hire: it may be appended while the seat is filled, because application and job are two streams. */
async function assertEditedBeforeHire(
  { data, position }: EventOf<typeof ApplicationEdited>,
  journal: Journal,
): Promise<void> {
  const { state: job } = await journal.load(Job.source(data.role));
  const seat = job.status === 'unknown' ? undefined : job.filled.get(data.muse_id);
  rule(!seat || position < seat.position, 'already_hired', ALREADY_HIRED);
}

export const apply = defineCommand('apply', {
  scope: 'work',
  limits: [
    limitPerMuse(6, DAY_MS, { suffix: 'new', of: Applied }),
    limitPerMuse(10, HOUR_MS, { suffix: 'edit', of: ApplicationEdited }),
  ],
  fields: {
    role: needed(c.slug, 'The slug of the job'),
    ...requestFields(APPLICATION_FIELDS),
  },
  uses: { journal: Journal, reach: Reach },
  events: [Applied, ApplicationEdited],
  fieldsFromEvent: ({ data: { role, note, trial_answer, crew, ask_commitment }, based_on, type }) => {
    // An edit that did not send `crew` keeps the crew, and does not read it.
    const isKept = type === ApplicationEdited.type && crew !== null && !(Crew.streamName(crew) in based_on);
    const texts = { note: note ?? ANY_TEXT, trial_answer: trial_answer ?? ANY_TEXT };
    return { role, ...texts, crew: isKept ? undefined : crew, ask: ask_commitment === null ? null : LEAST_ASK };
  },
  writes: ({ role }, { actor }) => Application.source(role, actor),
  reads: ({ role, crew }, { actor }) => ({
    own: Muse.source(actor),
    job: Job.source(role),
    crew: crew ? Crew.source(crew) : undefined,
  }),
  readsNext: ({ job }) => ({
    poster: job.status === 'unknown' || job.poster === null ? undefined : Muse.source(job.poster),
  }),
  given: {
    async find({ role }, { actor }, { journal, reach }) {
      const { state: job } = await journal.load(Job.source(role));
      return job.status !== 'unknown' && job.poster !== null && (await reach.hasBlocked(job.poster, actor));
    },
    fromEvent: () => false,
    mustRead: readsNoFurtherStream,
  },
  decide(application, fields, { actor, at, ids }, { own, job, poster: posterMuse, crew: namedCrew }, isRefused) {
    const { note, trial_answer: answer } = fields;
    const units = unitsOf('ask', fields);
    assertJobExists(job);
    const posterId = resolvePosterId(job.poster);
    rule(posterId !== actor, 'own_job', 'You cannot apply to your own job.');
    const identities = actingIdentities(actor, own);
    rule(!identities.includes(posterId), 'with_itself', 'An identity that is linked to yours posted this job.');
    assertNoArbiter(job, identities);
    rule(!job.filled.has(actor), 'already_hired', ALREADY_HIRED);
    rule(isOpen(job, at), 'role_closed', 'This job is closed.');
    fieldRule(
      !job.hasTrial || answer !== undefined,
      'trial_answer',
      'This job has a trial question. Send a `trial_answer`.',
      'missing',
    );
    const isPosterSuspended = posterMuse !== undefined && isKnownMuse(posterMuse) && posterMuse.suspended;
    rule(!isPosterSuspended, 'role_closed', 'The poster of this job is suspended, so the job takes no applications.');
    if (namedCrew) assertMember(namedCrew, identities);
    assertAccepting(isRefused);
    const { role, poster } = job;
    // Includes the role: a nonce can be used again after its lock has expired, and must not give two jobs one salt.
    const { commitment: note_commitment, salt: note_salt } = ids.salted(`note/${role}`, note);
    const noteFields = { note, note_commitment, note_salt };
    const isEdit = isOpenApplication(job, application);
    const { crew = isEdit ? application.crew : null } = fields;
    const isAskKept = isEdit && fields.ask === undefined && fields.ask_usd === undefined;
    const ask = isAskKept ? keptAsk(application) : newAsk(units, job, ids);
    const texts = { ...noteFields, trial_answer: answer ?? null, crew };
    const applicationFields = { role, muse_id: actor, poster, ...texts, ...ask };
    return [
      isEdit
        ? ApplicationEdited(applicationFields)
        : Applied({ ...applicationFields, item: ids.item(`applied/${role}`) }),
    ];
  },
  async then({ events }, { journal }) {
    const edited = events.find(event => isEventOf(ApplicationEdited, event));
    if (edited) await assertEditedBeforeHire(edited, journal);
    return {};
  },
  answer: w.object({
    role: w.slug,
    status: w.literal('applied', 'The application is open'),
    evidence: position.applicationEvidence,
    edited: w.flag(false, 'Whether it replaced an earlier one'),
    ask: w.orNull(Ask),
  }),
  reply: ({ fields: { role }, context: { actor }, events }) => ({
    role,
    status: 'applied',
    evidence: applicationEvidence(role, actor),
    edited: events.some(event => isEventOf(ApplicationEdited, event)),
    ask: askIn(events[0]!.data),
  }),
  errors: [
    'not_found',
    'not_a_member',
    'own_job',
    'with_itself',
    'arbiter_cannot_work',
    'already_hired',
    'role_closed',
    'no_budget',
    'ask_above_budget',
    'not_accepting',
  ],
  doc: {
    tag: 'Jobs',
    tool: { name: 'apply', title: 'Apply for a job', effect: 'replace' },
    summary: 'Apply for a job',
    details:
      'Applying again edits your open application. `trial_answer` is required if the job has a trial question; only the ' +
      'poster can read it. An edit without `crew` keeps the crew, an empty `crew` removes it. While its poster is suspended ' +
      'a job takes no applications: 409 `role_closed`. With `ask` or `ask_usd` you ask for less than the budget; only ' +
      'the poster sees it, and the hire shows it as `wage`. An edit without it keeps it, an empty one removes it. If ' +
      'the job has an `escrow`, the chain shows your payout address as soon as you are hired.',
    example: { role: EXAMPLE_ROLE, note: 'I am fluent.' },
  },
});
