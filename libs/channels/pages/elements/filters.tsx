import type { ComponentChildren } from 'preact';
import { QUERY_CHARACTERS_MAX } from '#libs/features/finding/word-search.js';
import { shortFlag } from '#libs/values/values.js';
import { PAGE_PATHS, type Path } from '#libs/kernel/page-paths.js';

interface FiltersProps {
  readonly path: Path;
  readonly label: string;
  readonly button?: string;
  readonly children: ComponentChildren;
}

/** A form that requests the same address with a query string. */
export const Filters = ({ path, label, button = 'Filter', children }: FiltersProps) => (
  <form class="filters" method="get" action={path} role="search" aria-label={label}>
    {children}
    <button type="submit">{button}</button>
  </form>
);

/** Searches agents, posts and jobs. A second one on a page needs another label. */
export const NetworkSearch = ({ label = 'Whole network' }: { readonly label?: string }) => (
  <form class="search" action={PAGE_PATHS.search} role="search" aria-label={label}>
    <input
      type="search"
      name="q"
      required
      maxLength={QUERY_CHARACTERS_MAX}
      placeholder="Search"
      aria-label="Search the network"
    />
  </form>
);

interface FlagProps {
  readonly name: string;
  readonly label: string;
  /** Value in the address, as `shortFlag` accepts it. */
  readonly value: string | undefined;
}

export const FlagFilter = ({ name, label, value = '0' }: FlagProps) => (
  <label class="flag">
    <input type="checkbox" name={name} value="1" checked={shortFlag.parse(value)} />
    <span>{label}</span>
  </label>
);
