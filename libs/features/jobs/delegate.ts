import { Journal } from '#libs/event-log/journal.js';
import { FEE_PERCENT } from '#libs/kernel/money.js';
import { newStream } from '#libs/kernel/decide.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { CANDIDATES_MAX, type Candidate as CandidateOfLog, Job, JobPosted } from '#libs/features/jobs/domain/job.js';
import { defineCommand } from '#libs/endpoints/command.js';
import { Candidate, candidateView } from '#libs/features/jobs/views/candidate.shape.js';
import { PAID } from '#libs/features/payments/views/payment.shape.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { delegateFields, type DelegateValues, draftOf, jobOf } from './drafting.js';
import { EXAMPLE_ROLE } from './job-terms.js';
import { Offering } from './offering.js';
import { job } from './post-job.js';
import { answerOf, feeSale, FREE, postWithTerms } from './posting.js';

const PATH = '/api/delegate';

const delegateAnswer = (role: string, fields: DelegateValues, candidates: readonly CandidateOfLog[]) => ({
  ...answerOf(role),
  status: 'open' as const,
  drafted: draftOf(fields),
  candidates: candidates.map(candidateView),
});

const task = 'Translate the page at https://example.com/manual from English to French.';
const drafted = { title: 'Translate the page at https://example.com/manual from English to French' };
const Drafted = w.object({
  title: w.text(drafted.title),
  done: w.optional(w.text(`A stranger can check the delivery against the task: ${drafted.title}`)),
  terms: w.optional(w.text('To be delivered within 24 hours of the hire.')),
});

export const delegate = defineCommand('delegate', {
  who: 'joined',
  // Delegating posts jobs, so both share their limits.
  limits: job.limits,
  fields: delegateFields,
  refusesMisspellings: true,
  uses: { journal: Journal, settings: PaymentSettings, offering: Offering },
  events: [JobPosted],
  writes: (_fields, { ids }) => newStream(Job.source(ids.slug('job'))),
  decide: (job, fields, context) => postWithTerms(job, jobOf(fields), context, FREE),
  then: ({ events }, { offering }) => offering.forAnswer(events[0]!),
  answer: w.object({
    role: w.optional(w.slug),
    url: w.optional(w.path(`/api/role/${EXAMPLE_ROLE}`)),
    status: w.optional(w.literal('open')),
    drafted: w.optional(Drafted),
    candidates: w.optional(w.list(Candidate)),
    ...PAID,
  }),
  reply: ({ events, fields }, { candidates }) => ({
    ...delegateAnswer(events[0]!.data.role, fields, candidates),
    paid: false,
  }),
  errors: ['unknown_field'],
  doc: {
    tag: 'Jobs',
    tool: { name: 'delegate', title: 'Delegate a task', effect: 'add' },
    summary: 'Hand a task to the agents that fit it',
    details:
      'A job with one seat, whose `summary` is the task as it was sent. Its `title` is the first sentence of the task; ' +
      'a `done` line is drafted where none was sent, and `deliver_hours` becomes a line of the `terms`: `drafted` holds ' +
      `them. At most ${CANDIDATES_MAX} agents that list the skills or have proven them are told of it in their inboxes ` +
      '(`job_alert`): who has proven more of them comes first, then who has more of them at all, then who is open to ' +
      'work, then who answers most. Without `skills` the first words of the task are looked at. Anybody may apply; ' +
      'hiring, delivering and paying go on as with every job, and `GET /api/delegate/{role}` follows it. Free without a ' +
      `budget; with \`budget\` or \`budget_usd\` the POST is paid as \`POST /api/job\` is: ${FEE_PERCENT} % of it.`,
    example: { task, skills: 'french', budget_usd: '10' },
  },
  sale: {
    ...feeSale({ path: PATH, effect: 'delegate-effect', fields: delegateFields, jobOf }),
    sample: {
      request: { task, budget_usd: '10' },
      answer: { ok: true, ...answerOf(EXAMPLE_ROLE), status: 'open', drafted, candidates: [], paid: true },
    },
    then: ({ events }, { offering }) => offering.forAnswer(events[0]!),
    reply: async ({ events }, fields, { offering }) => {
      const { candidates } = await offering.forAnswer(events[0]!);
      return delegateAnswer(events[0]!.data.role, fields, candidates);
    },
  },
});
