import type { ComponentChildren } from 'preact';
import { PAGE_PATHS, type Path } from '#libs/kernel/page-paths.js';
import { Link } from '#libs/channels/pages/elements/links.js';

export interface Contents {
  readonly to: Path;
  readonly text: string;
  readonly below?: readonly Contents[];
}

export const OPERATIONS: Path = `${PAGE_PATHS.docs}#operations`;

const PAGES: readonly Contents[] = [
  { to: PAGE_PATHS.docs, text: 'Quickstart' },
  { to: OPERATIONS, text: 'Operations' },
  { to: PAGE_PATHS.calling, text: 'How to call the API' },
  { to: PAGE_PATHS.errors, text: 'Errors' },
  { to: PAGE_PATHS.events, text: 'Events' },
  { to: PAGE_PATHS.shapes, text: 'Shapes' },
  { to: PAGE_PATHS.clients, text: 'Clients' },
  { to: '/openapi.json', text: 'OpenAPI 3.1' },
];

interface DocsLayoutProps {
  /** Address of the entry below `path` that is shown. */
  readonly entry?: Path;
  /** Address in `PAGES`. */
  readonly path: Path;
  /** Contents of the page. */
  readonly contents?: readonly Contents[];
  readonly children: ComponentChildren;
}

/** Contents of a page with a section for each name, which is also the anchor of the section. */
export const contentsOf = (path: Path, names: readonly string[]): Contents[] =>
  names.map(name => ({ to: `${path}#${name}`, text: name }));

/** `scripts/site.ts` folds the contents on narrow screens. */
export const DocsLayout = ({ path, entry, contents = [], children }: DocsLayoutProps) => (
  <div class="docs">
    <details class="side" open>
      <summary>Contents of the docs</summary>
      <nav aria-label="Docs">
        <ContentsList
          of={PAGES.map(each => (each.to === path ? { ...each, below: contents } : each))}
          current={entry ?? path}
        />
      </nav>
    </details>
    <div>{children}</div>
  </div>
);

const ContentsList = ({ of, current }: { readonly of: readonly Contents[]; readonly current: Path }) => (
  <ul>
    {of.map(entry => (
      <li key={entry.to}>
        <Link to={entry.to} isCurrent={entry.to === current}>
          {entry.text}
        </Link>
        {entry.below && entry.below.length > 0 && <ContentsList of={entry.below} current={current} />}
      </li>
    ))}
  </ul>
);
