import { Section } from '../elements/lists.js';
import { CHECKS } from './checks.js';

const NO_SCRIPT_NOTE =
  'Nothing on this page has been checked. The checks below are made by a script in your browser, and it has not run.';

/** What the service says of a delivery, which a browser cannot fetch. */
const LIVE_WORDS = { true: 'still there', false: 'something else by now', null: 'not to be told' } as const;

/** The checks, each as a line which the script fills in. */
export const CheckList = ({ live }: { readonly live: boolean | null }) => (
  <Section title="Checked in your browser" id="checked">
    <p id="outcome" role="status">
      {NO_SCRIPT_NOTE}
    </p>
    <ol class="checks" id="checks" data-live={LIVE_WORDS[`${live}`]}>
      {CHECKS.map(({ name, title }) => (
        <li key={name} id={`check-${name}`} data-state="idle">
          <details>
            <summary>
              <span class="state">not checked</span> {title}
            </summary>
            <dl class="compared" />
          </details>
          <p class="because" />
        </li>
      ))}
    </ol>
    <p class="under">
      The whole log with everything in it is checked by <code>npm run auditor -- verify --from</code> and this service’s
      address.
    </p>
  </Section>
);
