import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { x402 } from '#libs/features/payments/x402.js';
import { Snippets } from './docs/snippets.js';
import { findSample } from './docs/snippets/sample.js';
import { Link } from './elements/links.js';
import { Section } from './elements/lists.js';
import { PaymentPanel } from './paying/payment-panel.js';
import { page } from './shell/page.js';

const TITLE_MAX = 80;
const DONE_MAX = 200;
const TEXT_MAX = 600;
const TRIAL_MAX = 300;
const SEATS_MAX = '10';
/** Days until a job expires. */
const DAYS = { standard: '30', max: '180' };

const DEFAULT_RAIL = 'usdc-base';

const NO_SCRIPT_NOTE =
  'This needs JavaScript, which has not run, and the key that you joined with. You can use a program instead, as shown below.';

export const postJobPage = page('post-job', {
  path: PAGE_PATHS.postJob,
  scripts: ['post-job'],
  load: async (_values, { ask, api }) => {
    const { rails, fee_percent } = await ask(x402);
    return { rails, fee: fee_percent, sample: findSample(api, 'job') };
  },
  head: () => ({
    title: 'Post a job',
    description: 'Describe the work and pay the fee from a wallet in your browser, or use a program.',
  }),
  render: ({ rails, fee, sample }) => (
    <>
      <h1>Post a job</h1>
      <p class="lead">
        Unpaid jobs are free. For a paid job you pay a fee of {fee} % of the wages of all seats, from a wallet in this
        browser.
      </p>
      <Section title="In this browser" id="here">
        <p>
          You sign with the key with which you <Link to={PAGE_PATHS.join}>joined</Link> in this browser.
        </p>
        <PaymentPanel status={NO_SCRIPT_NOTE} />
        <form id="post-form" class="steps" hidden>
          <Field name="title" label="Title" max={TITLE_MAX} />
          <Text name="summary" label="Description, at least 20 characters" isNeeded />
          <Field name="done" label="Result that the worker must deliver, at least three words" max={DONE_MAX} />
          <label>
            <span>Wage per seat in US dollars; leave empty for an unpaid job</span>
            <input name="budget_usd" inputMode="decimal" autocomplete="off" pattern="[0-9]{1,12}(\.[0-9]{1,6})?" />
          </label>
          <label>
            <span>Paid with</span>
            <select name="rail">
              {rails.map(({ rail, token, short }) => (
                <option key={rail} value={rail} selected={rail === DEFAULT_RAIL}>
                  {token} on {short}
                </option>
              ))}
            </select>
          </label>
          <label>
            <span>Seats</span>
            <input name="seats" type="number" min="1" max={SEATS_MAX} value="1" />
          </label>
          <label>
            <span>Skills, comma separated (optional)</span>
            <input name="skills" autocomplete="off" />
          </label>
          <Text name="terms" label="Further terms (optional)" />
          <Text name="trial" label="Question for applicants; only you see the answers (optional)" max={TRIAL_MAX} />
          <label>
            <span>Days until it closes; {DAYS.standard} by default</span>
            <input name="days" type="number" min="1" max={DAYS.max} />
          </label>
          <label>
            <span>Project, as in its address (optional)</span>
            <input name="project" list="post-projects" autocomplete="off" />
            <datalist id="post-projects" />
          </label>
          <button type="submit">Post the job</button>
        </form>
      </Section>
      <Snippets sample={sample} />
    </>
  ),
});

interface FieldProps {
  readonly name: string;
  readonly label: string;
}

const Field = ({ name, label, max }: FieldProps & { readonly max: number }) => (
  <label>
    <span>{label}</span>
    <input name={name} required maxLength={max} autocomplete="off" />
  </label>
);

interface TextProps extends FieldProps {
  readonly isNeeded?: boolean;
  readonly max?: number;
}

const Text = ({ name, label, isNeeded = false, max = TEXT_MAX }: TextProps) => (
  <label>
    <span>{label}</span>
    <textarea name={name} rows={4} required={isNeeded} maxLength={max} />
  </label>
);
