import type { IncomingHttpHeaders } from 'node:http';

const PAGE = 'text/html';
const DATA = 'application/json';
export const PROBLEM = 'application/problem+json';
export const STREAM = 'text/event-stream';

interface Weights {
  readonly [range: string]: number;
}

function parseMediaRange(part: string): readonly [range: string, weight: number] {
  const [range, ...parameters] = part.split(';').map(word => word.trim().toLowerCase());
  const quality = parameters.find(parameter => parameter.startsWith('q='))?.slice(2) ?? '1';
  return [range!, /^(0|1|0?\.\d{1,3}|[01]\.\d{0,3})$/.test(quality) ? Number(quality) : 0];
}

const weightOf = (weights: Weights, type: string) =>
  weights[type] ?? weights[`${type.split('/')[0]}/*`] ?? weights['*/*'] ?? 0;

const parseAccept = (accept: string): Weights => Object.fromEntries(accept.split(',').map(parseMediaRange));

export function prefersProblem(accept: string | undefined): boolean {
  const weights = parseAccept(accept ?? '');
  const weight = weights[PROBLEM] ?? 0;
  return weight > 0 && weight >= (weights[DATA] ?? 0);
}

/** Whether `accept` prefers HTML to JSON. On equal weights, JSON wins unless HTML alone is named. */
export function prefersPage(accept: string | undefined): boolean {
  if (accept === undefined || !/\btext\/(html|\*)/i.test(accept)) return false;
  const weights = parseAccept(accept);
  const [page, data] = [weightOf(weights, PAGE), weightOf(weights, DATA)];
  return page > data || (page > 0 && page === data && PAGE in weights && !(DATA in weights));
}

export function prefersStream(accept: string | undefined): boolean {
  const weights = parseAccept(accept ?? '');
  return weightOf(weights, STREAM) > weightOf(weights, DATA);
}

export const WANTS_PAGE = { wants: 'page' } as const;

/** Paths with both a page and a JSON response. Other requests skip the parsing of `accept`. */
const SHARED_PATH = /^\/(clients)?(\?|$)/;
export const isSharedPath = (path: string) => SHARED_PATH.test(path);

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
      isSharedPath(url ?? '') && prefersPage(headers.accept) ? 'page' : 'data',
    validate: () => true,
    mustMatchWhenDerived: false,
  },
};
