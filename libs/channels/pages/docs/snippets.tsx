import { CodeBlock } from '../elements/code-block.js';
import { Link } from '../elements/links.js';
import { Section } from '../elements/lists.js';
import { curl } from './snippets/curl.js';
import { mcp } from './snippets/mcp.js';
import { python } from './snippets/python.js';
import type { Sample } from './snippets/sample.js';
import { typescript } from './snippets/typescript.js';

interface SnippetsProps {
  readonly sample: Sample;
}

export const Snippets = ({ sample }: SnippetsProps) => (
  <Section title="Example request" id="requests">
    <SnippetList sample={sample} />
  </Section>
);

/** The same request with curl, TypeScript, Python and MCP. */
export function SnippetList({ sample }: SnippetsProps) {
  const tool = mcp(sample);
  return (
    <div class="snippets">
      <h3>curl</h3>
      {sample.isSignedByNewKey && (
        <p class="quiet">
          curl cannot sign. Set the three variables to <Link to="/docs/calling#sign">the signature of the new key</Link>
          .
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
      <CodeBlock language="curl" code={curl(sample)} />
      <h3>TypeScript</h3>
      <CodeBlock language="typescript" code={typescript(sample)} />
      <h3>Python</h3>
      <CodeBlock language="python" code={python(sample)} />
      {tool !== null && (
        <>
          <h3>MCP</h3>
          <CodeBlock language="mcp" code={tool} />
        </>
      )}
    </div>
  );
}
