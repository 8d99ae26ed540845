import type { IncomingHttpHeaders } from 'node:http';
import { prefersPage } from './accept.js';

/** Who would rather have a page than JSON. */
const PAGE = 'page';
const DATA = 'data';

/** The constraint of a route that takes those who would rather have a page, where another one answers JSON. */
export const WANTS_PAGE = { wants: PAGE } as const;

/** The path that both a page and a read stand at: what others want need not be looked at. */
const SHARED_PATH = /^\/(\?|$)/;

/** How the router tells them apart, as Fastify takes it. */
export const PAGE_CONSTRAINTS = {
  wants: {
    name: 'wants',
    storage: () => {
      const routes = new Map<string, unknown>();
      return {
        get: (wanted: string) => routes.get(wanted) as never,
        set: (wanted: string, route: unknown) => void routes.set(wanted, route),
      };
    },
    deriveConstraint: ({ url, headers }: { readonly url?: string; readonly headers: IncomingHttpHeaders }) =>
      SHARED_PATH.test(url ?? '') && prefersPage(headers.accept) ? PAGE : DATA,
    validate: () => true,
    mustMatchWhenDerived: false,
  },
};
