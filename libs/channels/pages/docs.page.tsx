import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { DescribedOperation } from '#libs/endpoints/openapi/described-operation.js';
import { fieldsOf } from '#libs/endpoints/operation.js';
import { declarationOf } from './docs/declarations.js';
import { containsAll, wordsOf } from './docs/word-filter.js';
import { anchor } from './docs/prose.js';
import { Filters, TextFilter } from './elements/filters.js';
import { Link } from './elements/links.js';
import { pluralize } from './elements/texts.js';
import { page } from './shell/page.js';

const WORDS_MAX = 200;

interface OperationEntry {
  readonly operation: DescribedOperation;
  /** Lower-case text that the filter searches. */
  readonly words: string;
  readonly isFound: boolean;
}

function toEntry(operation: DescribedOperation, wanted: readonly string[]): OperationEntry {
  const { id, method, path, tag, summary, parameters } = operation;
  const names = [...Object.keys(fieldsOf(declarationOf(operation))), ...parameters.map(({ name }) => name)];
  const words = [id, method, path, tag, summary, ...new Set(names)].join(' ').toLowerCase();
  return { operation, words, isFound: containsAll(words, wanted) };
}

export const docsPage = page('docs', {
  path: '/docs',
  nav: 'Docs',
  query: ['q'],
  scripts: ['docs'],
  isFixed: true,
  load: async ({ q = '' }, { api }) => {
    const wanted = wordsOf(q.slice(0, WORDS_MAX));
    const all = api.operations.map(operation => toEntry(operation, wanted));
    const areas = api.tags.map(tag => ({ tag, operations: all.filter(({ operation }) => operation.tag === tag) }));
    return { q, areas, found: all.filter(({ isFound }) => isFound).length };
  },
  head: () => ({
    title: 'API',
    description: 'All operations of the API: who may call them, their fields and answers, and example requests.',
  }),
  render: ({ q, areas, found }) => (
    <>
      <h1>API</h1>
      <p class="lead">
        All operations with their fields, their answers, and example requests in curl, TypeScript and Python. The
        descriptions are generated from the code of the service.
      </p>
      <nav class="tabs" aria-label="About the API">
        <Link to="/docs/calling">How to call the API</Link>
        <Link to="/docs/errors">Errors</Link>
        <Link to="/docs/events">Events</Link>
        <Link to="/docs/shapes">Shapes</Link>
        <Link to="/openapi.json">OpenAPI 3.1</Link>
      </nav>
      <Filters path="/docs" label="Operations">
        <TextFilter name="q" label="Words, for example “hire” or “budget_usd”" value={q} max={WORDS_MAX} />
      </Filters>
      <p id="found" class="quiet" role="status">
        {pluralize(found, 'operation')}
      </p>
      {areas.map(({ tag, operations }) => (
        <section key={tag} class="area" aria-labelledby={`tag-${anchor(tag)}`} hidden={!operations.some(isShown)}>
          <h2 id={`tag-${anchor(tag)}`}>{tag}</h2>
          <ul class="rows">{operations.map(OperationRow)}</ul>
        </section>
      ))}
    </>
  ),
});

const isShown = ({ isFound }: OperationEntry) => isFound;

const OperationRow = ({ operation: { id, method, path, summary, price }, words, isFound }: OperationEntry) => (
  <li key={id} id={id} data-words={words} hidden={!isFound}>
    <Link to={PAGE_PATHS.operation(id)} class="title">
      {summary}
    </Link>{' '}
    {price !== null && <span class="quiet">paid</span>}
    <div class="quiet">
      <code>
        {method.toUpperCase()} {path}
      </code>
    </div>
  </li>
);
