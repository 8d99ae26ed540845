import type { ComponentChild, ComponentChildren } from 'preact';
import { type Path, withQuery } from '#libs/kernel/page-paths.js';
import { Link } from './links.js';
import { Empty } from './texts.js';

interface ListProps<T> {
  readonly of: readonly T[];
  readonly each: (one: T) => ComponentChild;
  /** What is said where there is nothing. */
  readonly empty: string;
}

/** Rows one below the other. */
export const List = <T,>({ of, each, empty }: ListProps<T>) =>
  of.length === 0 ? <Empty>{empty}</Empty> : <ul class="rows">{of.map(each)}</ul>;

interface SectionProps {
  readonly title: string;
  readonly id: string;
  readonly children: ComponentChildren;
  /** Where all of it stands. */
  readonly all?: Path;
}

/** A part of a page under a heading of its own. */
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
  /** The parameter that carries the cursor. */
  readonly by: 'after' | 'before';
  readonly query: { readonly [name: string]: string | undefined };
}

/** The way to the next page of a list, and back to its first. */
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

/** What is known of one thing, by name; what there is nothing of is left out. */
export const Facts = ({ of }: { readonly of: readonly Fact[] }) => (
  <dl class="facts">
    {of
      .filter(({ value }) => value !== null && value !== undefined && value !== false)
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

/** One list in several selections. */
export const Tabs = ({ of, label }: { readonly of: readonly Tab[]; readonly label: string }) => (
  <nav class="tabs" aria-label={label}>
    {of.map(({ name, to, isCurrent }) => (
      <Link key={to} to={to} isCurrent={isCurrent}>
        {name}
      </Link>
    ))}
  </nav>
);
