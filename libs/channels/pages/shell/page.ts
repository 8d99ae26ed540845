import type { ComponentChild } from 'preact';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Path } from '#libs/kernel/page-paths.js';
import type { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import type { Declaration, TypeErased } from '#libs/endpoints/endpoint-declaration.js';
import type { QueryAnswer } from '#libs/endpoints/query-handlers.js';
import type { AnyQuery, RawAnswer } from '#libs/endpoints/query.js';
import type { StatusHistory } from '#libs/features/stats/status-history.js';
import type { loadPosterStats } from '#libs/features/hires/views/poster-stats.js';
import type { HireDetails } from '#libs/features/records/hire-details.js';
import type { PublicEvent } from '#libs/features/events-feed/public-event.shape.js';
import type { MuseSummary } from '#libs/features/profile/views/summaries.js';
import type { TrackRecord } from '#libs/features/finding/track-records.js';

/** Names in a path: `role` in `/jobs/:role`. */
type PathNames<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathNames<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

/** Path values, and the non-empty values of the query string. */
export type AddressValues<P extends string, Q extends string> = { readonly [name in PathNames<P>]: string } & {
  readonly [name in Q]?: string;
};

/** Fields of a read as text. Empty ones are not sent. */
export type ReadFields<R extends AnyQuery> = {
  readonly [name in keyof (R extends { readonly asks?: infer F } ? NonNullable<F> : never)]?: string | undefined;
};

export type TrackRecords = { readonly [museId: string]: TrackRecord };
export interface EventFilters {
  readonly types?: string;
  readonly muse_id?: string;
  readonly stream?: string;
}

export interface NewestEvents {
  readonly events: readonly PublicEvent[];
  /** Position for the next older events; null at the start of the log. */
  readonly next: Position | null;
  readonly head: Position;
}

export type NamesBySlug = ReadonlyMap<string, string | null>;

/** Reads of a page. They run the same checks as requests. */
export interface PageReader {
  /** Throws the refusals of the read. */
  readonly ask: <R extends AnyQuery>(read: R, sent?: ReadFields<R>) => Promise<Exclude<QueryAnswer<R>, RawAnswer>>;
  /** For reads that answer text. */
  readonly text: (read: AnyQuery) => Promise<string>;
  /** Summaries by id, without unknown muses. */
  readonly people: (ids: readonly string[]) => Promise<{ readonly [museId: string]: MuseSummary }>;
  /** Proof of work by id, without unknown muses. */
  readonly trackRecords: (ids: readonly string[]) => Promise<TrackRecords>;
  /** Names of crews by slug; null once erased. */
  readonly crewNames: (slugs: readonly (string | null)[]) => Promise<NamesBySlug>;
  /** Titles of roles by slug; null once erased. */
  readonly roleTitles: (slugs: readonly (string | null)[]) => Promise<NamesBySlug>;
  /** Hires with their newest deliveries and rechecks. */
  readonly hireDetails: (hires: readonly number[]) => Promise<readonly HireDetails[]>;
  /** Numbers of a muse as a poster; null until its first job. */
  readonly posterStats: (museId: string) => ReturnType<typeof loadPosterStats>;
  /** Events of the log up to a position, newest first. */
  readonly newestEvents: (before: string | undefined, limit: number, filters: EventFilters) => Promise<NewestEvents>;
  /** Render time, unix ms. Read it after all reads, so that nothing is cached beyond its validity. */
  readonly now: () => number;
  /** Description of the API. */
  readonly api: ApiDescription;
  /** Samples of this process; reading them does not end the validity of a cached page. */
  readonly history: StatusHistory;
}

/** Another form of the page, for feed readers. */
export interface Alternate {
  readonly href: Path;
  readonly type: 'application/feed+json' | 'application/rss+xml' | 'application/json';
  readonly title: string;
}

export interface Head {
  /** Without the name of the service. */
  readonly title: string;
  /** One or two sentences. */
  readonly description: string;
  /** PNG of 1200 by 630. */
  readonly picture?: { readonly path: Path; readonly alt: string };
  readonly alternates?: readonly Alternate[];
  /** JSON-LD for search engines (schema.org). */
  readonly data?: JsonObject;
  /** 410 for erased content; by default 200. */
  readonly status?: 410;
}

interface PageSpec<P extends Path, Q extends string, D> {
  readonly path: P;
  /** Parameters of the query string; others are ignored. */
  readonly query?: readonly Q[];
  /** Label in the navigation; left out if it is not there. */
  readonly nav?: string;
  /** Modules of `libs/channels/pages/scripts`. The page must be readable without them. */
  readonly scripts?: readonly string[];
  /** Its scripts call the chain nodes for browsers. */
  readonly asksChains?: boolean;
  /** Counts as a view of the profile in `:id`. */
  readonly isCounted?: boolean;
  /** Depends only on the code, so it is rendered once if it has no query string. */
  readonly isFixed?: boolean;
  readonly load: (values: AddressValues<P, Q>, reader: PageReader) => Promise<D>;
  /** `baseUrl`: address of the service without a trailing slash. */
  readonly head: (data: D, baseUrl: string) => Head;
  readonly render: (data: D) => ComponentChild;
}

interface CompletedPage {
  readonly kind: 'page';
  readonly query: readonly string[];
  readonly scripts: readonly string[];
  readonly asksChains: boolean;
  /** The page at `/`. */
  readonly isFirst: boolean;
  readonly isCounted: boolean;
  readonly isFixed: boolean;
}

export type AnyPage = Declaration<string, TypeErased<PageSpec<Path, string, unknown>>, CompletedPage>;

/** Declares a page. Its route, browser tests and place in the navigation follow from the declaration. */
export function page<const P extends Path, D, const Q extends string = never>(
  name: string,
  spec: PageSpec<P, Q, D>,
): AnyPage {
  const { query = [], scripts = [], asksChains = false, isCounted = false, isFixed = false } = spec;
  const isFirst = (spec.path as Path) === '/';
  return { ...spec, kind: 'page', name, query, scripts, asksChains, isFirst, isCounted, isFixed };
}

/** Thrown by `load` to redirect to another address. */
export class PageMovedError extends Error {
  constructor(readonly path: Path) {
    super(`It moved to ${path}.`);
  }
}
