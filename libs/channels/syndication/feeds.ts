import { defineQuery } from '#libs/endpoints/declare.js';
import type { Dependencies, EndpointSpec, ResolvedDependencies } from '#libs/endpoints/endpoint-declaration.js';
import type { Path } from '#libs/kernel/page-paths.js';
import type { FieldDeclarations, FieldValues } from '#libs/validation/request-fields.js';
import type { Channel } from './channel.js';
import { JSON_FEED, renderJsonFeed } from './json-feed.js';
import { renderRss, RSS } from './rss.js';

interface FeedsSpec<P extends FieldDeclarations, Q extends FieldDeclarations, U extends Dependencies> extends Pick<
  EndpointSpec<U, never>,
  'errors'
> {
  /** Without its ending, which names the format. */
  readonly path: Path;
  readonly params?: P;
  readonly query?: Q;
  readonly uses: U;
  /** Completes "Get ... as RSS". */
  readonly contents: string;
  /** Followed by the version of the format. */
  readonly details?: string;
  readonly example?: { readonly [field: string]: string };
  readonly load: (fields: FieldValues<P & Q>, uses: ResolvedDependencies<U>, path: Path) => Promise<Channel>;
}

/** Declares one list in both formats. */
export function defineFeeds<
  const N extends string,
  const U extends Dependencies,
  const P extends FieldDeclarations = Record<never, never>,
  const Q extends FieldDeclarations = Record<never, never>,
>(name: N, { path, contents, details, example, load, ...shared }: FeedsSpec<P, Q, U>) {
  const docOf = (format: string, version: string) => ({
    tag: 'Feeds',
    summary: `Get ${contents} as ${format}`,
    ...(details !== undefined && { details: `${details} ${format} ${version}.` }),
    ...(example && { example }),
  });
  const rssPath = `${path}.rss` as const;
  const jsonPath = `${path}.feed.json` as const;
  return {
    rss: defineQuery(`${name}_rss`, {
      ...shared,
      ...RSS,
      path: rssPath,
      doc: docOf('RSS', '2.0'),
      find: async (fields, uses) => renderRss(await load(fields, uses, rssPath)),
    }),
    jsonFeed: defineQuery(`${name}_feed`, {
      ...shared,
      ...JSON_FEED,
      path: jsonPath,
      doc: docOf('JSON Feed', '1.1'),
      find: async (fields, uses) => renderJsonFeed(await load(fields, uses, jsonPath)),
    }),
  };
}
