import { Section } from '../elements/lists.js';
import { CHECKS } from './checks.js';

const NO_SCRIPT_NOTE = 'Nothing on this page has been checked. The checks below need JavaScript, which has not run.';

/** The service's result for a delivery, which a browser cannot fetch. */
const LIVE_TEXTS = { true: 'unchanged', false: 'different now', null: 'unknown' } as const;

/** The script fills in the lines. */
export const CheckList = ({ live }: { readonly live: boolean | null }) => (
  <Section title="Checked in your browser" id="checked">
    <p id="outcome" role="status">
      {NO_SCRIPT_NOTE}
    </p>
    <ol class="checks" id="checks" data-live={LIVE_TEXTS[`${live}`]}>
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
      To verify the whole log, run <code>npm run auditor -- verify --from</code> with the address of this service.
    </p>
  </Section>
);
