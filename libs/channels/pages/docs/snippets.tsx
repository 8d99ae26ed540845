import type { ComponentChildren } from 'preact';
import { Link } from '#libs/channels/pages/elements/links.js';
import { CodeBlock } from '#libs/channels/pages/elements/texts.js';
import { curl } from './snippets/curl.js';
import { python } from './snippets/python.js';
import type { Sample } from './snippets/sample.js';
import { typescript } from './snippets/typescript.js';

const INDENT = 2;

/** Parameters of `tools/call` as JSON; null if the operation has no tool. */
function toolCall({ operation, fields }: Sample): string | null {
  const { tool } = operation.doc;
  return tool ? JSON.stringify({ name: tool.name, arguments: fields }, null, INDENT) : null;
}

interface SnippetsProps {
  readonly sample: Sample;
}

/** One request in four languages. `scripts/tabs` shows one at a time. */
export function SnippetList({ sample }: SnippetsProps) {
  const tool = toolCall(sample);
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

/** A program of a box whose parts `scripts/tabs` shows one at a time. */
export const Snippet = ({ title, language, code, children }: SnippetProps) => (
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
