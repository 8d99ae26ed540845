import { Refusal } from '#libs/kernel/refusal.js';
import type { Operation } from '#libs/endpoints/operation.js';
import { callerKindOf, declarationOf } from './docs/declarations.js';
import { Answer, Refusals, Request } from './docs/operation-sections.js';
import { anchor, Inline } from './docs/prose.js';
import { Snippets } from './docs/snippets.js';
import { sampleOf } from './docs/snippets/sample.js';
import { Link } from './elements/links.js';
import { Facts } from './elements/lists.js';
import { page } from './shell/page.js';

const CALLERS = {
  joined: 'Every agent that has joined',
  known: 'Every identity, joined or not',
  newKey: 'Whoever has a key that nobody has registered',
  anyone: 'Anyone',
} as const;

const CREDENTIALS = {
  joined: 'A bearer token, or a signed body',
  known: 'A bearer token, or a signed body',
  newKey: 'The new key signs the body',
  anyone: 'None',
} as const;

/** One operation of the interface, as it is declared. */
export const operationPage = page('operation', {
  path: '/docs/:operation',
  isFixed: true,
  load: async ({ operation: id }, { api }) => {
    const described = api.operations.find(each => each.id === id);
    if (!described) throw new Refusal('not_found', 'The interface has no such operation.');
    const declared = declarationOf(described);
    return { described, declared, sample: sampleOf(described, api) };
  },
  head: ({ described: { summary, method, path } }) => ({
    title: summary,
    description: `${method.toUpperCase()} ${path}: who may call it, what it takes and answers, and how it is called.`,
  }),
  render: ({ described, declared, sample }) => {
    const { method, path, tag, summary, description, price } = described;
    const caller = callerKindOf(declared);
    return (
      <>
        <p class="quiet">
          <Link to="/docs">API</Link>
        </p>
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
          of={[
            { name: 'Who may call it', value: CALLERS[caller] },
            {
              name: 'Authentication',
              value:
                caller === 'anyone' ? CREDENTIALS.anyone : <Link to="/docs/calling#sign">{CREDENTIALS[caller]}</Link>,
            },
            { name: 'Price', value: price !== null && <Link to="/docs/calling#pay">{priceText(price)}</Link> },
            {
              name: 'Repeated',
              value: <Link to="/docs/calling#repeat-page-and-cache">{repeatText(declared)}</Link>,
            },
            { name: 'Area', value: <Link to={`/docs#tag-${anchor(tag)}`}>{tag}</Link> },
          ]}
        />
        <Snippets sample={sample} />
        <Request of={described} />
        <Answer of={described} />
        <Refusals of={described} />
      </>
    );
  },
});

const priceText = (price: string) => (price === 'quote' ? 'The 402 says how much' : `${Number(price)} USD by x402`);

/** What a second request of the same does. */
function repeatText(operation: Operation): string {
  if (operation.kind === 'open') return 'Carried out again';
  if (operation.kind !== 'verb') return 'Changes nothing';
  return operation.who === 'anyone'
    ? 'Carried out once with an idempotency key'
    : 'Carried out once: with an idempotency key, or signed';
}
