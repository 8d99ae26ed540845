import { Link } from '../elements/links.js';
import { Section } from '../elements/lists.js';
import { curl } from './snippets/curl.js';
import { python } from './snippets/python.js';
import type { Sample } from './snippets/sample.js';
import { typescript } from './snippets/typescript.js';

/** The same request in three languages. */
export const Snippets = ({ sample }: { readonly sample: Sample }) => (
  <Section title="The same request" id="requests">
    <h3>curl</h3>
    {sample.isSignedByNewKey && (
      <p class="quiet">
        curl signs nothing: the three variables are what <Link to="/docs/calling#sign">the new key has signed</Link>.
      </p>
    )}
    {sample.needsToken && (
      <p class="quiet">
        <code>TOKEN</code> is what <Link to="/docs/quickstart">the first request</Link> has answered.
      </p>
    )}
    {sample.isPaid && (
      <p class="quiet">
        Without a payment it may be answered 402, with an offer. The clients sign one of it, within their cap.
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
