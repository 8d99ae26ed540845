import type { ComponentChild } from 'preact';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Path } from '#libs/kernel/page-paths.js';
import type { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import type { Declaration, TypeErased } from '#libs/endpoints/endpoint-declaration.js';
import type { QueryAnswer } from '#libs/endpoints/query-handlers.js';
import type { AnyQuery, RawAnswer } from '#libs/endpoints/query.js';
import type { MuseSummary } from '#libs/features/profile/views/summaries.js';

/** The names in a path: `role` of `/jobs/:role`. */
type PathNames<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathNames<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

/** What an address holds: the names in its path, and of its query string what is there and not empty. */
export type AddressValues<P extends string, Q extends string> = { readonly [name in PathNames<P>]: string } & {
  readonly [name in Q]?: string;
};

/** What is sent to a read: its own names as text. What is left out or empty is not sent. */
export type ReadFields<R extends AnyQuery> = {
  readonly [name in keyof (R extends { readonly asks?: infer F } ? NonNullable<F> : never)]?: string | undefined;
};

export type NamesBySlug = ReadonlyMap<string, string | null>;

/** How a page reads: by the reads of the interface, through the same checks. */
export interface PageReader {
  /** Asks a read that answers documents. Throws what it refuses. */
  readonly ask: <R extends AnyQuery>(read: R, sent?: ReadFields<R>) => Promise<Exclude<QueryAnswer<R>, RawAnswer>>;
  /** Asks a read that answers text. */
  readonly text: (read: AnyQuery) => Promise<string>;
  /** The summaries of muses that a read names by their ids alone, by id; unknown ones are left out. */
  readonly people: (ids: readonly string[]) => Promise<{ readonly [museId: string]: MuseSummary }>;
  /** Names of crews by slug; null once erased. */
  readonly crewNames: (slugs: readonly (string | null)[]) => Promise<NamesBySlug>;
  /** Titles of roles by slug; null once erased. */
  readonly roleTitles: (slugs: readonly (string | null)[]) => Promise<NamesBySlug>;
  /** When the page is made, in unix ms; looked at once all is read, so that none is kept beyond what it says. */
  readonly now: () => number;
  /** What is declared of the interface itself. */
  readonly api: ApiDescription;
}

/** Another form of what a page shows, as a feed reader looks for it. */
export interface Alternate {
  readonly href: Path;
  readonly type: 'application/feed+json' | 'application/rss+xml' | 'application/json';
  readonly title: string;
}

/** What stands in the head of a page, and in the previews that others make of it. */
export interface Head {
  /** Without the name of the service. */
  readonly title: string;
  /** One or two sentences. */
  readonly description: string;
  /** What previews show: a PNG of 1200 to 630. */
  readonly picture?: { readonly path: Path; readonly alt: string };
  readonly alternates?: readonly Alternate[];
  /** What search engines read of it, as JSON-LD (schema.org). */
  readonly data?: JsonObject;
  /** 410 of what was there and is gone; by default 200. */
  readonly status?: 410;
}

interface PageSpec<P extends Path, Q extends string, D> {
  readonly path: P;
  /** The names that its query string may hold; others are passed over. */
  readonly query?: readonly Q[];
  /** What it is called in the navigation, where it stands there. */
  readonly nav?: string;
  /** Modules of `libs/channels/pages/scripts` that it loads, for what moves; it can be read without them. */
  readonly scripts?: readonly string[];
  /** Its scripts ask the nodes that the service names for browsers. */
  readonly asksChains?: boolean;
  /** A profile's page, which counts as one that was read. It is told by `:id`. */
  readonly isCounted?: boolean;
  /** It follows from the code alone: where its address asks for nothing besides, a process renders it once. */
  readonly isFixed?: boolean;
  readonly load: (given: AddressValues<P, Q>, reading: PageReader) => Promise<D>;
  /** `baseUrl`: the service's own address, without a slash at its end. */
  readonly head: (found: D, baseUrl: string) => Head;
  readonly render: (found: D) => ComponentChild;
}

interface CompletedPage {
  readonly kind: 'page';
  readonly query: readonly string[];
  readonly scripts: readonly string[];
  readonly asksChains: boolean;
  /** Its address is that of the service. */
  readonly isFirst: boolean;
  readonly isCounted: boolean;
  readonly isFixed: boolean;
}

/** A page as everything but its own file knows it. */
export type AnyPage = Declaration<string, TypeErased<PageSpec<Path, string, unknown>>, CompletedPage>;

/** Declares a page for people. Its route, its tests in a browser and its place in the navigation follow. */
export function page<const P extends Path, D, const Q extends string = never>(
  name: string,
  spec: PageSpec<P, Q, D>,
): AnyPage {
  const { query = [], scripts = [], asksChains = false, isCounted = false, isFixed = false } = spec;
  const isFirst = (spec.path as Path) === '/';
  return { ...spec, kind: 'page', name, query, scripts, asksChains, isFirst, isCounted, isFixed };
}

/** Thrown by `load` where what is asked for stands at another address. */
export class PageMovedError extends Error {
  constructor(readonly path: Path) {
    super(`It stands at ${path}.`);
  }
}
