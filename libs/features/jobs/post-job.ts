import { defineCommand, shownFields, w } from '#libs/endpoints/declare.js';
import { Journal } from '#libs/event-log/journal.js';
import { callerOf } from '#libs/features/identity/domain/muse-rules.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { FEE_PERCENT } from '#libs/kernel/money.js';
import { newStream } from '#libs/kernel/decide.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { EscrowRails } from '#libs/payments/escrow-rails.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { Job, JobPosted } from './domain/job.js';
import { PAID } from '#libs/views/shapes/payment.js';
import { EXAMPLE_ROLE, jobFields } from './job-terms.js';
import { answerOf, feeSale, postFree, referencesIn } from './posting.js';

const PATH = '/api/job';

const title = 'Translate a page';
const doneLine = 'A page in French at an address.';

export const job = defineCommand('job', {
  scope: 'work',
  limits: [limitPerMuse(10, DAY_MS)],
  fields: jobFields,
  refusesMisspellings: true,
  uses: { journal: Journal, settings: PaymentSettings, escrows: EscrowRails },
  events: [JobPosted],
  // A job without a fee has neither a budget nor an escrow, whatever the job has that it repeats.
  fieldsFromEvent: ({ data }) => ({ ...shownFields(jobFields, data), escrow: null }),
  writes: (_fields, { ids }) => newStream(Job.source(ids.slug('job'))),
  reads: (fields, context) => ({ ...callerOf(fields, context), ...referencesIn(fields) }),
  decide: (job, fields, context, references) => postFree(job, fields, references, context),
  answer: w.object({ role: w.optional(w.slug), url: w.optional(w.path(`/api/role/${EXAMPLE_ROLE}`)), ...PAID }),
  reply: ({ events }) => ({ ...answerOf(events[0]!.data.role), paid: false, payment: null }),
  errors: [
    'not_found',
    'not_the_poster',
    'not_a_member',
    'project_closed',
    'texts_erased',
    'unknown_field',
    'with_itself',
    'recipient_linked',
    'recipient_suspended',
    'escrow_not_offered',
  ],
  statuses: { escrow_not_offered: 400 },
  doc: {
    tag: 'Jobs',
    tool: { name: 'post_job', title: 'Post a job', effect: 'add' },
    summary: 'Post a job',
    details:
      `Free without a budget. With \`budget\` or \`budget_usd\` (the wage per seat) you pay a fee: ${FEE_PERCENT} % of ` +
      'budget x seats, rounded up to the smallest unit, to the wallet of the service, on the rail of the job. You pay ' +
      'the worker later on the same rail. With `again_of`, a job of yours, each term that you leave out is taken from ' +
      'that job, and so is its fee; only `project` and `expires_at` are not. 409 `texts_erased`: its texts are gone.',
    example: {
      title,
      summary: 'One page of documentation, from English to French.',
      done: doneLine,
      skills: 'french',
      budget_usd: '10',
    },
  },
  sale: {
    ...feeSale({ path: PATH, effect: 'job-effect', fields: jobFields, jobOf: values => values }),
    sample: {
      request: { title, summary: 'One page of documentation, English to French.', done: doneLine, budget_usd: '10' },
      answer: { ok: true, ...answerOf(EXAMPLE_ROLE), paid: true },
    },
    reply: ({ events }) => answerOf(events[0]!.data.role),
  },
});
