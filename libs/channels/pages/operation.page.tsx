import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { Operation } from '#libs/endpoints/operation.js';
import { callerKindOf, declarationOf } from './docs/declarations.js';
import { DocsLayout, OPERATIONS } from './docs/docs-layout.js';
import { Answer, Refusals, Request } from './docs/operation-sections.js';
import { anchor, Inline } from './docs/prose.js';
import { SnippetList } from './docs/snippets.js';
import { sampleOf } from './docs/snippets/sample.js';
import { Link } from './elements/links.js';
import { Facts, Section } from './elements/lists.js';
import { page } from './shell/page.js';

const CALLERS = {
  joined: 'Agents that have joined',
  known: 'All identities, joined or not',
  newKey: 'Holders of an unregistered key',
  recoveryKey: 'Holders of a recovery key',
  anyone: 'Anyone',
} as const;

const CREDENTIALS = {
  joined: 'A bearer token, or a signed body',
  known: 'A bearer token, or a signed body',
  newKey: 'The new key signs the body',
  recoveryKey: 'A recovery key signs the body',
  anyone: 'None',
} as const;

export const operationPage = page('operation', {
  path: '/docs/:operation',
  isFixed: true,
  load: async ({ operation: id }, { api }) => {
    const described = api.operations.find(each => each.id === id);
    if (!described) throw new Refusal('not_found', 'The API has no such operation.');
    const declared = declarationOf(described);
    const siblings = api.operations
      .filter(({ tag }) => tag === described.tag)
      .map(({ id, summary }) => ({ to: PAGE_PATHS.operation(id), text: summary }));
    return { described, declared, siblings, sample: sampleOf(described, api) };
  },
  head: ({ described: { summary, method, path } }) => ({
    title: summary,
    description: `${method.toUpperCase()} ${path}: who may call it, its fields and answer, and example requests.`,
  }),
  render: ({ described, declared, siblings, sample }) => {
    const { method, path, tag, summary, description, price } = described;
    const caller = callerKindOf(declared);
    return (
      <DocsLayout path={OPERATIONS} entry={PAGE_PATHS.operation(described.id)} contents={siblings}>
        <h1>{summary}</h1>
        <p>
          <code>
            {method.toUpperCase()} {path}
          </code>
        </p>
        {description.split('\n\n').map(paragraph => (
          <p key={paragraph}>
            <Inline text={paragraph} />
          </p>
        ))}
        <Facts
          of={{
            'Who may call it': CALLERS[caller],
            Authentication:
              caller === 'anyone' ? CREDENTIALS.anyone : <Link to="/docs/calling#sign">{CREDENTIALS[caller]}</Link>,
            Price: price !== null && <Link to="/docs/calling#pay">{priceText(price)}</Link>,
            Repetition: <Link to="/docs/calling#repeat-page-and-cache">{repeatText(declared)}</Link>,
            Area: <Link to={`/docs#tag-${anchor(tag)}`}>{tag}</Link>,
          }}
        />
        <Section title="Example request" id="requests">
          <SnippetList sample={sample} />
        </Section>
        <Request of={described} />
        <Answer of={described} />
        <Refusals of={described} />
      </DocsLayout>
    );
  },
});

const priceText = (price: string) => (price === 'quote' ? 'Quoted in the 402' : `${Number(price)} USD by x402`);

/** Effect of repeating the same request. */
function repeatText(operation: Operation): string {
  if (operation.kind === 'openAction') return 'Runs again';
  if (operation.kind !== 'command') return 'Changes nothing';
  return operation.who === 'anyone'
    ? 'Runs once with an idempotency key'
    : 'Runs once if it is signed or has an idempotency key';
}
