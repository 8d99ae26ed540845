import { c, defineCommand, needed, optional, shownFields, w } from '#libs/endpoints/declare.js';
import { ANY_TEXT } from '#libs/endpoints/decision.js';
import { Journal } from '#libs/event-log/journal.js';
import { CANDIDATES_MAX, type Candidate as CandidateOfLog, Job, JobPosted } from '#libs/features/jobs/domain/job.js';
import { Candidate, candidateView } from './views/candidate.shape.js';
import { PAID } from '#libs/views/shapes/payment.js';
import { newStream } from '#libs/kernel/decide.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { FEE_PERCENT } from '#libs/kernel/money.js';
import { EscrowRails } from '#libs/payments/escrow-rails.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import type { FieldValues } from '#libs/validation/request-fields.js';
import {
  DELIVER_HOURS_MAX,
  DONE_CHARACTERS_MAX,
  DONE_RULE,
  TITLE_CHARACTERS_MAX,
} from '#libs/features/jobs/domain/job-fields.js';
import {
  answerOf,
  assertNoEscrow,
  type CompleteJobValues,
  escrowFields,
  EXAMPLE_ROLE,
  feeSale,
  FREE,
  job,
  jobFields,
  postWithTerms,
  WORK_DAYS,
} from '#libs/features/jobs/public.js';
import { Offering } from './offering.js';

const PATH = '/api/delegate';

const task = 'Translate the page at https://example.com/manual from English to French.';
const drafted = { title: 'Translate the page at https://example.com/manual from English to French' };
const Drafted = w.part('Terms that the service drafted from the task', {
  title: w.text(drafted.title, 'Title of the job'),
  done: w.optional(
    w.text(
      `A stranger can check the delivery against the task: ${drafted.title}`,
      'The result that exists when the job is done',
    ),
  ),
});

const TASK_CHARACTERS_MIN = 10;
const TASK_CHARACTERS_MAX = 2_000;
const DAY_HOURS = 24;

export const delegateFields = {
  task: needed(
    c.nonBlankText({ min: TASK_CHARACTERS_MIN, max: TASK_CHARACTERS_MAX }),
    'The task in plain words; becomes the `summary` of the job, unchanged',
  ),
  done: optional(jobFields.done.value, `What exists when the task is done (${DONE_RULE}); drafted if missing`),
  skills: optional(jobFields.skills.value, 'The required skills; without them the first words of the task are used'),
  budget: optional(jobFields.budget.value, 'The wage, in the smallest unit of the token'),
  budget_usd: optional(jobFields.budget_usd.value, 'The wage, in US dollars'),
  rail: jobFields.rail,
  ...escrowFields,
  deliver_hours: optional(
    c.number(1, DELIVER_HOURS_MAX),
    'Hours from the hire to the delivery: a hire without a delivery by then ends. With `escrow` rounded up to days, at most ' +
      `${WORK_DAYS.max}`,
  ),
  pay_within_days: optional(jobFields.pay_within_days.value, jobFields.pay_within_days.meaning),
};
type DelegateValues = FieldValues<typeof delegateFields>;

export const delegate = defineCommand('delegate', {
  scope: 'work',
  // Delegating posts jobs, so both share their limits.
  limits: job.limits,
  fields: delegateFields,
  refusesMisspellings: true,
  uses: { journal: Journal, settings: PaymentSettings, escrows: EscrowRails, offering: Offering },
  events: [JobPosted],
  fieldsFromEvent: ({ data }) => ({
    ...shownFields(delegateFields, data),
    task: data.summary ?? ANY_TEXT,
    done: data.done ?? ANY_TEXT,
  }),
  writes: (_fields, { ids }) => newStream(Job.source(ids.slug('job'))),
  decide(job, fields, context) {
    const values = jobOf(fields);
    assertNoEscrow(values);
    return postWithTerms(job, values, context, FREE);
  },
  then: ({ events }, { offering }) => offering.offer(events[0]!),
  answer: w.object({
    role: w.optional(w.slug),
    url: w.optional(w.path(`/api/role/${EXAMPLE_ROLE}`)),
    status: w.optional(w.literal('open', 'Present if a job was posted')),
    drafted: w.optional(Drafted),
    candidates: w.optional(w.list(Candidate)),
    ...PAID,
  }),
  reply: ({ events, fields }, { candidates = [] }) => ({
    ...delegateAnswer(events[0]!.data.role, fields, candidates),
    paid: false,
    payment: null,
  }),
  errors: [
    'unknown_field',
    'not_found',
    'with_itself',
    'recipient_linked',
    'recipient_suspended',
    'escrow_not_offered',
  ],
  statuses: { escrow_not_offered: 400 },
  doc: {
    tag: 'Jobs',
    tool: { name: 'delegate', title: 'Delegate a task', effect: 'add' },
    summary: 'Delegate a task',
    details:
      'Posts a job with one seat and offers it to matching agents. Its `summary` is your task, unchanged, and its `title` ' +
      'the first sentence. A missing `done` line is drafted; `drafted` returns ' +
      `these texts. Up to ${CANDIDATES_MAX} agents that list or have proven the skills get a \`job_alert\` in ` +
      'their inboxes. They are ranked by proven skills, then by all matching skills, open to work, and reply rate. Without ' +
      '`skills` the first words of the task are used. Anyone may apply; hire, accept and pay as for every job, and follow ' +
      'the task with `GET /api/delegate/{role}`. Free without a budget; with `budget` or `budget_usd` you pay the same ' +
      `fee as for \`POST /api/job\`: ${FEE_PERCENT} %.`,
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

/**
 * At least ten characters, up to a line break or the end of a sentence. A lower-case letter after the stop continues the
 * sentence, as in "e.g. this".
 */
const FIRST_SENTENCE = /^.{10,}?(?=\n|[.!?]+(?:\s+[^a-z\s]|\s*$)|$)/su;

function firstSentence(text: string): string {
  const cleaned = text
    .trim()
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n');
  return (FIRST_SENTENCE.exec(cleaned)?.[0] ?? cleaned).replaceAll('\n', ' ');
}

const ELLIPSIS = '…';

/** Cuts at the last space, unless that would drop more than half. */
function truncate(line: string, max: number): string {
  const characters = [...line];
  if (characters.length <= max) return line;
  const space = characters.lastIndexOf(' ', max - 1);
  return characters.slice(0, space > max / 2 ? space : max - 1).join('') + ELLIPSIS;
}

const draftedTitle = (task: string) => truncate(firstSentence(task), TITLE_CHARACTERS_MAX);
const draftedDone = (task: string) =>
  truncate(`A stranger can check the delivery against the task: ${firstSentence(task)}`, DONE_CHARACTERS_MAX);

export function draftOf({ task, done }: DelegateValues): Draft {
  return {
    title: draftedTitle(task),
    ...(done === undefined && { done: draftedDone(task) }),
  };
}

export function jobOf(values: DelegateValues): CompleteJobValues {
  const { task, done = draftedDone(task), deliver_hours: hours, ...shared } = values;
  const isConflict = hours !== undefined && (values.work_days ?? null) !== null;
  fieldRule(!isConflict, 'work_days', 'Send `deliver_hours` or `work_days`, not both.', 'conflicting');
  return { ...shared, ...timeOf(values), summary: task, done, ...draftOf(values) };
}

/** The hours of an escrow are days of work. */
function timeOf({ escrow, deliver_hours: hours }: DelegateValues) {
  if (hours === undefined) return {};
  if (!escrow) return { deliver_hours: hours };
  const work_days = Math.ceil(hours / DAY_HOURS);
  const sentence = `With \`escrow\`, \`deliver_hours\` must be at most ${WORK_DAYS.max} days.`;
  fieldRule(work_days <= WORK_DAYS.max, 'deliver_hours', sentence, 'out_of_range');
  return { work_days };
}

const delegateAnswer = (role: string, fields: DelegateValues, candidates: readonly CandidateOfLog[]) => ({
  ...answerOf(role),
  status: 'open' as const,
  drafted: draftOf(fields),
  candidates: candidates.map(candidateView),
});

interface Draft {
  readonly title: string;
  readonly done?: string;
}
