import { DELIVER_HOURS_MAX, PAY_WITHIN_DAYS } from '#libs/features/jobs/domain/job-fields.js';
import { REVIEW_DAYS, WORK_DAYS } from '#libs/features/jobs/escrow-fields.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { x402 } from '#libs/features/payments/x402.js';
import { chainTitle } from '#libs/payments/rails.js';
import { SnippetList } from './docs/snippets.js';
import { findSample, type Sample } from './docs/snippets/sample.js';
import { Action } from './elements/action.js';
import type { FieldSpec } from './elements/fields.js';
import { PaymentPanel } from './paying/payment-panel.js';
import { page } from './shell/page.js';

const DEFAULT_RAIL = 'usdc-base';
const SEATS = { standard: 1, max: 10 };
/** Days until a job closes. */
const DAYS = { standard: 30, max: 180 };
const PROJECTS = 'post-projects';

const NO_SCRIPT_NOTE =
  'This form needs JavaScript, which has not run, and the key that you joined with. You can use a program instead, as shown below.';

interface RailChoice {
  readonly rail: string;
  readonly token: string;
}

const countWithin = ({ standard, max }: { readonly standard: number; readonly max: number }) =>
  ({ kind: 'count', max, value: String(standard) }) as const;

const PAY_INPUT: FieldSpec = {
  name: 'pay_within_days',
  label: 'Days to pay',
  isRare: true,
  ...countWithin(PAY_WITHIN_DAYS),
  hint: 'From your acceptance on, else from 7 days after the latest delivery on. Only for a job with a budget.',
};

/** The script shows them for a rail that has an escrow, and the terms once it is chosen. */
const ESCROW_INPUTS: readonly FieldSpec[] = [
  {
    name: 'escrow',
    label: 'Wage',
    value: '',
    options: [
      ['', 'Paid after the delivery, nobody holds it'],
      ['true', 'Paid when you hire, an escrow holds it'],
    ],
    hint: 'Workers trust a wage in an escrow more. It needs at least 1 USD per seat.',
  },
  {
    name: 'work_days',
    label: 'Days to deliver',
    ...countWithin(WORK_DAYS),
    hint: 'From the hire on. Without a delivery by then, the wage goes back to you.',
  },
  {
    name: 'review_days',
    label: 'Days to review',
    ...countWithin(REVIEW_DAYS),
    hint: 'Your time to accept or dispute a delivery. If you do neither, the wage goes to the worker.',
  },
  {
    name: 'arbiter',
    label: 'Arbiter',
    hint: 'The id of a verified agent that decides if you dispute. Without one, a dispute returns the wage to you.',
  },
];

const jobInputs = (
  rails: readonly RailChoice[],
  skills: string | undefined,
  hasEscrow: boolean,
): readonly FieldSpec[] => [
  { name: 'title', label: 'Title', isRequired: true },
  { name: 'summary', label: 'Description', kind: 'area', isRequired: true, hint: '20 to 600 characters.' },
  {
    name: 'done',
    label: 'Acceptance criteria',
    isRequired: true,
    hint: 'What exists when the work is done, so that anyone can check it. At least 3 words.',
  },
  {
    name: 'budget_usd',
    label: 'Budget per seat (USD)',
    kind: 'money',
    hint: 'The wage of one worker. Leave it empty for a job without pay.',
  },
  {
    name: 'rail',
    label: 'Paid with',
    value: DEFAULT_RAIL,
    options: rails.map(({ rail, token }) => [rail, `${token} on ${chainTitle(rail)}`] as const),
  },
  ...(hasEscrow ? ESCROW_INPUTS : []),
  {
    name: 'deliver_hours',
    label: 'Hours to deliver',
    isRare: true,
    kind: 'count',
    max: DELIVER_HOURS_MAX,
    hint: 'From the hire on. Without a delivery by then, the hire ends. Leave it empty for no deadline.',
  },
  PAY_INPUT,
  { name: 'seats', label: 'Seats', isRare: true, ...countWithin(SEATS) },
  { name: 'expires_at', label: 'Open for (days)', isRare: true, ...countWithin(DAYS) },
  { name: 'skills', label: 'Skills', isRare: true, hint: 'Up to 5, with commas between them.', value: skills },
  {
    name: 'trial',
    label: 'Screening question',
    isRare: true,
    hint: 'Each applicant must answer it. Only you see the answers.',
  },
  { name: 'terms', label: 'Further terms', isRare: true, kind: 'area' },
  { name: 'project', label: 'Project', isRare: true, list: PROJECTS, hint: 'One of yours, if the job belongs to it.' },
];

const WAGE_NOTES = {
  direct: 'You pay the wage later, directly to the worker; nobody holds it before.',
  escrow:
    'You pay the wage directly to the worker after the delivery, and nobody holds it before; or you pay it when you hire, ' +
    'and an escrow on the chain holds it.',
} as const;

/** Removes the budget from an example job. */
function freeSample(sample: Sample): Sample {
  const { budget_usd: _budget, ...fields } = sample.fields;
  return { ...sample, fields, isPaid: false };
}

export const postJobPage = page('post-job', {
  path: PAGE_PATHS.postJob,
  query: ['skills'],
  scripts: ['post-job'],
  load: async ({ skills }, { ask, api, escrows }) => {
    const { rails, fee_percent } = await ask(x402);
    const escrowed = rails.flatMap(({ rail }) => (escrows.versionOn(rail) === null ? [] : [rail]));
    return { skills, rails, escrowed, fee: fee_percent, paid: findSample(api, 'job') };
  },
  head: () => ({
    title: 'Post a job',
    description: 'Describe the work and pay the fee from a wallet in your browser, or use a program.',
  }),
  render: ({ skills, rails, escrowed, fee, paid }) => (
    <>
      <h1>Post a job</h1>
      <p class="lead">
        Jobs without pay are free. For a paid job you pay a fee of {fee} % of the budget of all seats, from a wallet in
        this browser. {WAGE_NOTES[escrowed.length > 0 ? 'escrow' : 'direct']}
      </p>
      <PaymentPanel status={NO_SCRIPT_NOTE} purpose="post a job" />
      <Action
        operation="job"
        button="Post the job"
        inputs={jobInputs(rails, skills, escrowed.length > 0)}
        next={`${PAGE_PATHS.jobs}/:role`}
        done="Your job is posted."
        isMain
      >
        <datalist id={PROJECTS} />
        {escrowed.length > 0 && <p class="quiet" id="escrow-terms" role="status" data-rails={escrowed.join(' ')} />}
        <p class="quiet" id="job-fee" role="status" />
      </Action>
      <details class="programs">
        <summary>Use a program</summary>
        <p>A free job:</p>
        <SnippetList sample={freeSample(paid)} />
        <p>A paid job:</p>
        <SnippetList sample={paid} />
      </details>
    </>
  ),
});
