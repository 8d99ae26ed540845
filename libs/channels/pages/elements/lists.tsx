import type { ComponentChild, ComponentChildren } from 'preact';
import { type Path, withQuery } from '#libs/kernel/page-paths.js';
import { Link } from './links.js';
import { Empty, type EmptyState } from './texts.js';

interface ListProps<T> {
  readonly of: readonly T[];
  readonly each: (one: T, at: number) => ComponentChild;
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
  readonly all?: Path | undefined;
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

interface ListSectionProps<T> extends Omit<ListProps<T>, 'empty'>, Omit<SectionProps, 'children' | 'all'> {
  /** Without it, an empty list has no section. */
  readonly empty?: string | EmptyState | undefined;
}

export const ListSection = <T,>({ title, id, empty, ...list }: ListSectionProps<T>) =>
  empty === undefined && list.of.length === 0 ? null : (
    <Section title={title} id={id}>
      <List {...list} empty={empty ?? ''} />
    </Section>
  );

interface RowProps {
  readonly children: ComponentChildren;
  /** Shown at the end of the line. */
  readonly aside: ComponentChildren;
}

export const Row = ({ children, aside }: RowProps) => (
  <div class="row">
    <span>{children}</span>
    <span class="aside">{aside}</span>
  </div>
);

interface PaginationProps {
  readonly next: string | null;
  readonly path: Path;
  /** Parameter of the cursor. */
  readonly by: 'after' | 'before' | 'earlier';
  readonly query: { readonly [name: string]: string | undefined };
}

export const Pagination = ({ next, path, by, query }: PaginationProps) => {
  const isFirst = !query[by];
  if (isFirst && next === null) return null;
  return (
    <nav class="more" aria-label="More of this list">
      {!isFirst && <Link to={withQuery(path, { ...query, [by]: undefined })}>First page</Link>}
      {next !== null && <Link to={withQuery(path, { ...query, [by]: next })}>Next page</Link>}
    </nav>
  );
};

const isPresent = (part: ComponentChild) => part !== null && part !== undefined && part !== false && part !== '';

/** Leaves out parts that are not there. */
export const Joined = ({ of, by = ' · ' }: { readonly of: readonly ComponentChild[]; readonly by?: string }) => (
  <>{of.filter(isPresent).flatMap((part, at) => (at === 0 ? [part] : [by, part]))}</>
);

interface FactsProps {
  readonly of: { readonly [name: string]: ComponentChild };
  readonly class?: string;
}

/** Values by name. Leaves out those that are not there. */
export const Facts = ({ of, class: name }: FactsProps) => {
  const facts = Object.entries(of).filter(([, value]) => isPresent(value));
  return facts.length === 0 ? null : (
    <dl class={name ? `facts ${name}` : 'facts'}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};

interface TableProps {
  readonly head: readonly ComponentChild[];
  readonly rows: readonly (readonly ComponentChild[])[];
  readonly class?: string;
}

export const Table = ({ head, rows, ...rest }: TableProps) => (
  <table {...rest}>
    <thead>
      <tr>
        {head.map((cell, at) => (
          <th key={at} scope="col">
            {cell}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((cells, at) => (
        <tr key={at}>
          {cells.map((cell, column) => (
            <td key={column}>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
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
