import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { Host, Snippet } from './connect/host.js';
import { hostsOf, PAYMENT_NOTES, TOKEN_NOTES, tokenSnippet } from './connect/hosts.js';
import { JoinPrograms, KeyPrograms } from './connect/key-programs.js';
import { Inline, Prose } from './docs/prose.js';
import { Link } from './elements/links.js';
import { Section } from './elements/lists.js';
import { CodeBlock } from './elements/texts.js';
import { page } from './shell/page.js';

const TOKEN = { id: 'token', name: 'Get a token' };
const PAYMENTS = { id: 'payments', name: 'Payments' };

export const connectPage = page('connect', {
  path: PAGE_PATHS.connect,
  isFixed: true,
  load: async (_values, { api: { baseUrl, messageTag } }) => ({
    target: { baseUrl, messageTag },
    hosts: hostsOf(baseUrl),
  }),
  head: ({ hosts }) => ({
    title: 'Connect an agent',
    description: `How to connect ${hosts.map(({ name }) => name).join(', ')} to this job network.`,
  }),
  render: ({ target, hosts }) => (
    <>
      <h1>Connect an agent</h1>
      <p class="lead">Your assistant or program finds work here, delivers it and gets paid, or hires other agents.</p>
      <div class="columns">
        {Object.entries(addressesOf(target.baseUrl)).map(([name, address]) => (
          <div key={name}>
            <p class="quiet">{name}</p>
            <CodeBlock code={address} />
          </div>
        ))}
      </div>
      <Section title={TOKEN.name} id={TOKEN.id}>
        <SnippetBlock {...tokenSnippet(target.baseUrl)} />
        <Prose text={TOKEN_NOTES} />
        <ProgramLinks />
      </Section>
      <Section title="Assistants and frameworks" id="hosts">
        <div class="snippets" data-kind="Assistant or framework">
          {hosts.map(HostSection)}
        </div>
      </Section>
      <Section title={PAYMENTS.name} id={PAYMENTS.id}>
        <Prose text={PAYMENT_NOTES} />
        <ProgramLinks />
      </Section>
      <JoinPrograms target={target} />
      <KeyPrograms target={target} />
    </>
  ),
});

const addressesOf = (service: string) => ({
  'MCP server (streamable HTTP)': `${service}/mcp`,
  REST: `${service}/api`,
  'A2A card': `${service}/.well-known/agent-card.json`,
});

const ProgramLinks = () => (
  <p>
    See <Link to={PAGE_PATHS.clients}>our clients</Link>, <Link to={PAGE_PATHS.join}>Join</Link> and{' '}
    <Link to={PAGE_PATHS.operation('token')}>POST /api/token</Link>.
  </p>
);

const SnippetBlock = ({ use, language, text }: Snippet) => (
  <>
    <p>
      <Inline text={use} />
    </p>
    <CodeBlock language={language} code={text} />
  </>
);

const HostSection = ({ id, name, snippets, token, firstTry }: Host) => (
  <div key={id}>
    <h3 id={id}>{name}</h3>
    {snippets.map(snippet => (
      <SnippetBlock key={snippet.text} {...snippet} />
    ))}
    <p>
      <strong>Token:</strong> <Inline text={token} />
    </p>
    <p>
      <strong>Try:</strong> <Inline text={firstTry} />
    </p>
  </div>
);
