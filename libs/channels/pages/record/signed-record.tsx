import { CodeBlock } from '#libs/channels/pages/elements/texts.js';
import { CHECKS, LIVE_TEXTS } from './checks.js';
import { type HirePayload, recordFacts } from './record-texts.js';

const NO_SCRIPT_NOTE = 'Nothing on this page has been checked. The checks below need JavaScript, which has not run.';

/** The script fills in the verdict and the lines. */
export const Verdict = ({ address }: { readonly address: string }) => (
  <div class="card verdict">
    <p id="outcome" role="status">
      {NO_SCRIPT_NOTE}
    </p>
    <p class="under">
      The service has signed the history of this hire, and your browser verifies it. Share it by its address:
    </p>
    <CodeBlock code={address} />
  </div>
);

/** The script opens the list if a check fails or has no proof. */
export const CheckList = ({ live }: { readonly live: boolean | null }) => (
  <details class="fold" id="checked">
    <summary>The {CHECKS.length} checks in your browser</summary>
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
      To verify the whole log, run <code>npm run auditor -- verify --from</code> with the address of this service in a
      checkout of this project.
    </p>
  </details>
);

const isAmount = (name: string, text: string) => ['Agreed wage', 'Paid'].includes(name) && text !== 'none';

interface SignedTextProps {
  readonly record: { readonly payload: string; readonly signature: string; readonly kid: string };
}

export const SignedText = ({ record }: SignedTextProps) => (
  <details class="fold">
    <summary>The signed record</summary>
    <dl class="facts" id="facts">
      {recordFacts(JSON.parse(record.payload) as HirePayload).map(({ name, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto" {...(isAmount(name, text) && { class: 'amount' })}>
            {text}
          </dd>
        </div>
      ))}
    </dl>
    <details>
      <summary>Signed bytes and signature</summary>
      <p>
        <code id="payload">{record.payload}</code>
      </p>
      <p>
        Signature (ed25519, over these bytes) <code id="signature">{record.signature}</code>
      </p>
      <p>
        Key <code id="kid">{record.kid}</code>
      </p>
    </details>
  </details>
);
