import type { IncomingHttpHeaders } from 'node:http';
import { prefersPage } from './accept.js';

const PAGE = 'page';
const DATA = 'data';

export const WANTS_PAGE = { wants: PAGE } as const;

/** The only path with both a page and a JSON response. Other requests skip the parsing of `accept`. */
const SHARED_PATH = /^\/(\?|$)/;

export const PAGE_CONSTRAINTS = {
  wants: {
    name: 'wants',
    storage: () => {
      const routes = new Map<string, unknown>();
      return {
        get: (kind: string) => routes.get(kind) as never,
        set: (kind: string, route: unknown) => void routes.set(kind, route),
      };
    },
    deriveConstraint: ({ url, headers }: { readonly url?: string; readonly headers: IncomingHttpHeaders }) =>
      SHARED_PATH.test(url ?? '') && prefersPage(headers.accept) ? PAGE : DATA,
    validate: () => true,
    mustMatchWhenDerived: false,
  },
};
