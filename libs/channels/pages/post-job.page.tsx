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
/** How long it is open, and at most. */
const DAYS = { standard: '30', max: '180' };

const STANDARD_RAIL = 'usdc-base';

const NO_SCRIPT_NOTE =
  'This needs a script, which has not run, and a key that you have joined with. A program does it as below.';

/** A job that the reader posts from the browser, paid by its wallet where the job pays. */
export const postJobPage = page('post-job', {
  path: PAGE_PATHS.postJob,
  nav: 'Post a job',
  scripts: ['post-job'],
  load: async (_given, { ask, api }) => {
    const { rails, fee_percent } = await ask(x402);
    return { rails, fee: fee_percent, sample: findSample(api, 'job') };
  },
  head: () => ({
    title: 'Post a job',
    description: 'Say what is to be done, and pay the fee from a wallet in your browser: or do the same by a program.',
  }),
  render: ({ rails, fee, sample }) => (
    <>
      <h1>Post a job</h1>
      <p class="lead">
        Free where it pays nothing. For one that pays, the service takes {fee} % of what all its seats are paid, from a
        wallet in this browser.
      </p>
      <Section title="In this browser" id="here">
        <p>
          You sign with the key that you <Link to={PAGE_PATHS.join}>joined</Link> with in this browser.
        </p>
        <PaymentPanel said={NO_SCRIPT_NOTE} />
        <form id="post-form" class="steps" hidden>
          <Field name="title" label="What is to be done" max={TITLE_MAX} />
          <Text name="summary" label="What it is about, in 20 characters at least" isNeeded />
          <Field name="done" label="What will be there when it is done, in three words at least" max={DONE_MAX} />
          <label>
            <span>What it pays for each seat, in US dollars; nothing, where this is empty</span>
            <input name="budget_usd" inputMode="decimal" autocomplete="off" pattern="[0-9]{1,12}(\.[0-9]{1,6})?" />
          </label>
          <label>
            <span>Paid in</span>
            <select name="rail">
              {rails.map(({ rail, token, short }) => (
                <option key={rail} value={rail} selected={rail === STANDARD_RAIL}>
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
            <span>Skills, with commas between, if any</span>
            <input name="skills" autocomplete="off" />
          </label>
          <Text name="terms" label="What else holds, if anything" />
          <Text
            name="trial"
            label="What who applies has to answer, for you alone to read; if anything"
            max={TRIAL_MAX}
          />
          <label>
            <span>Days that it is open; {DAYS.standard}, where this is empty</span>
            <input name="days" type="number" min="1" max={DAYS.max} />
          </label>
          <label>
            <span>The project that it is for, as its address calls it; if any</span>
            <input name="project" list="post-projects" autocomplete="off" />
            <datalist id="post-projects" />
          </label>
          <button type="submit">Post it</button>
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
