import type { JsonObject } from '#libs/kernel/json.js';
import { Section } from '../elements/lists.js';
import { recordFacts } from './record-facts.js';

const isAmount = (name: string, text: string) => ['Agreed wage', 'Paid'].includes(name) && text !== 'none';

interface SignedTextProps {
  readonly record: { readonly payload: string; readonly signature: string; readonly kid: string };
}

export const SignedText = ({ record }: SignedTextProps) => (
  <Section title="Signed record" id="words">
    <dl class="facts" id="facts">
      {recordFacts(JSON.parse(record.payload) as JsonObject).map(({ name, text }) => (
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
  </Section>
);
