import type { ComponentChild } from 'preact';
import type { PageTraits } from '#libs/http/routes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { type Path, picturePath } from '#libs/kernel/page-paths.js';
import type { Declaration, TypeErased } from '#libs/endpoints/endpoint-declaration.js';
import type { PageReader } from './page-reader.js';

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

/** Another form of the page, for feed readers. */
interface Alternate {
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

/** `of` is the path without the suffixes `.feed.json` and `.rss`. */
export const feedAlternates = (of: Path, title: string): readonly Alternate[] => [
  { href: `${of}.feed.json`, type: 'application/feed+json', title },
  { href: `${of}.rss`, type: 'application/rss+xml', title },
];

export const previewPicture = (page: Path, alt: string): Pick<Head, 'picture'> => ({
  picture: { path: picturePath(page), alt },
});

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

export type AnyPage = Declaration<string, TypeErased<PageSpec<Path, string, unknown>>, { readonly kind: 'page' }>;

/** Declares a page. Its route, browser tests and place in the navigation follow from the declaration. */
export const page = <const P extends Path, D, const Q extends string = never>(
  name: string,
  spec: PageSpec<P, Q, D>,
): AnyPage => ({ ...spec, kind: 'page', name });

export const traitsOf = ({ asksChains = false, path }: AnyPage): PageTraits => ({ asksChains, isFirst: path === '/' });

/** Thrown by `load` to redirect to another address. */
export class PageMovedError extends Error {
  constructor(readonly path: Path) {
    super(`It moved to ${path}.`);
  }
}
