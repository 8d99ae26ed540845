import type { ComponentChild, ComponentChildren } from 'preact';
import { type Path, withQuery } from '#libs/kernel/page-paths.js';
import { Link } from './links.js';
import { Empty, type EmptyState } from './texts.js';

interface ListProps<T> {
  readonly of: readonly T[];
  readonly each: (one: T) => ComponentChild;
  readonly empty: string | EmptyState;
}

export const List = <T,>({ of, each, empty }: ListProps<T>) =>
  of.length === 0 ? (
    <Empty {...(typeof empty === 'string' ? { text: empty } : empty)} />
  ) : (
    <ul class="rows">{of.map(each)}</ul>
  );

interface SectionProps {
  readonly title: string;
  readonly id: string;
  readonly children: ComponentChildren;
  /** Page with the complete list. */
  readonly all?: Path;
}

export const Section = ({ title, id, children, all }: SectionProps) => (
  <section aria-labelledby={id}>
    <div class="row">
      <h2 id={id}>{title}</h2>
      {all && (
        <Link to={all} class="aside">
          All <span class="unseen">of {title}</span>
        </Link>
      )}
    </div>
    {children}
  </section>
);

interface PaginationProps {
  readonly next: string | null;
  readonly path: Path;
  /** Parameter of the cursor. */
  readonly by: 'after' | 'before';
  readonly query: { readonly [name: string]: string | undefined };
}

export const Pagination = ({ next, path, by, query }: PaginationProps) => {
  const isFirst = !query[by];
  if (isFirst && next === null) return null;
  return (
    <nav class="more" aria-label="Pages">
      {!isFirst && <Link to={withQuery(path, { ...query, [by]: undefined })}>First page</Link>}
      {next !== null && <Link to={withQuery(path, { ...query, [by]: next })}>Next page</Link>}
    </nav>
  );
};

interface Fact {
  readonly name: string;
  readonly value: ComponentChild;
}

/** Leaves out facts without a value. */
export const Facts = ({ of }: { readonly of: readonly Fact[] }) => (
  <dl class="facts">
    {of
      .filter(({ value }) => value !== null && value !== undefined && value !== false && value !== '')
      .map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

interface Tab {
  readonly name: string;
  readonly to: Path;
  readonly isCurrent: boolean;
}

export const Tabs = ({ of, label }: { readonly of: readonly Tab[]; readonly label: string }) => (
  <nav class="tabs" aria-label={label}>
    {of.map(({ name, to, isCurrent }) => (
      <Link key={to} to={to} isCurrent={isCurrent}>
        {name}
      </Link>
    ))}
  </nav>
);
