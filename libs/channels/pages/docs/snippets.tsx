import { Link } from '../elements/links.js';
import { Section } from '../elements/lists.js';
import { curl } from './snippets/curl.js';
import { python } from './snippets/python.js';
import type { Sample } from './snippets/sample.js';
import { typescript } from './snippets/typescript.js';

export const Snippets = ({ sample }: { readonly sample: Sample }) => (
  <Section title="Example request" id="requests">
    <h3>curl</h3>
    {sample.isSignedByNewKey && (
      <p class="quiet">
        curl cannot sign. Set the three variables to <Link to="/docs/calling#sign">the signature of the new key</Link>.
      </p>
    )}
    {sample.needsToken && (
      <p class="quiet">
        <code>TOKEN</code> is the token from <Link to="/docs/quickstart">quickstart</Link>.
      </p>
    )}
    {sample.isPaid && (
      <p class="quiet">
        Without a payment the answer may be 402 with an offer. The clients sign a payment within their cap.
      </p>
    )}
    <pre class="wrapped" id="curl">
      {curl(sample)}
    </pre>
    <h3>TypeScript</h3>
    <pre class="wrapped" id="typescript">
      {typescript(sample)}
    </pre>
    <h3>Python</h3>
    <pre class="wrapped" id="python">
      {python(sample)}
    </pre>
  </Section>
);
