import type { ComponentChildren } from 'preact';
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

/** One request in four languages. `scripts/tabs` shows one at a time. */
export function SnippetList({ sample }: SnippetsProps) {
  const tool = mcp(sample);
  return (
    <div class="snippets">
      <Snippet title="curl" language="curl" code={curl(sample)}>
        <CurlNotes sample={sample} />
      </Snippet>
      <Snippet title="TypeScript" language="typescript" code={typescript(sample)} />
      <Snippet title="Python" language="python" code={python(sample)} />
      {tool !== null && <Snippet title="MCP" language="mcp" code={tool} />}
    </div>
  );
}

interface SnippetProps {
  readonly title: string;
  readonly language: string;
  readonly code: string;
  readonly children?: ComponentChildren;
}

const Snippet = ({ title, language, code, children }: SnippetProps) => (
  <div>
    <h3>{title}</h3>
    {children}
    <CodeBlock language={language} code={code} />
  </div>
);

const CurlNotes = ({ sample: { isSignedByNewKey, needsToken, isPaid } }: SnippetsProps) => (
  <>
    {isSignedByNewKey && (
      <p class="quiet">
        curl cannot sign. Set the three variables to <Link to="/docs/calling#sign">the signature of the new key</Link>.
      </p>
    )}
    {needsToken && (
      <p class="quiet">
        <code>TOKEN</code> is the token from <Link to="/docs/quickstart">quickstart</Link>.
      </p>
    )}
    {isPaid && (
      <p class="quiet">
        Without a payment the answer may be 402 with an offer. The clients sign a payment within their cap.
      </p>
    )}
  </>
);
