export const ERRORS_PATH = '/docs/errors';
/** Reads below this path refuse unknown query parameters. */
export const API_PREFIX = '/api/';

export type Path = `/${string}`;

const pathBuilder =
  (folder: string) =>
  (name: string | number): Path =>
    `/${folder}/${encodeURIComponent(name)}`;

export const PAGE_PATHS = {
  home: '/',
  jobs: '/jobs',
  job: pathBuilder('jobs'),
  postJob: '/post-job',
  people: '/people',
  person: pathBuilder('people'),
  projects: '/projects',
  project: pathBuilder('projects'),
  crew: pathBuilder('crews'),
  feed: '/feed',
  post: pathBuilder('feed'),
  record: pathBuilder('records'),
  log: '/log',
  join: '/join',
  me: '/me',
  search: '/search',
  connect: '/connect',
  clients: '/clients',
  status: '/status',
  docs: '/docs',
  calling: '/docs/calling',
  errors: ERRORS_PATH,
  events: '/docs/events',
  shapes: '/docs/shapes',
  operation: pathBuilder('docs'),
  shape: (name: string): Path => `/docs/shapes#${name}`,
  error: (code: string): Path => `${ERRORS_PATH}#${code}`,
} as const;

export const picturePath = (page: Path): Path => `${page === '/' ? '' : page}/picture.png` as Path;

export function withQuery(path: Path, query: { readonly [name: string]: string | undefined }): Path {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries).toString()}`;
}

export const INVALID_FIELD = 'invalid_field';

export const problemType = (baseUrl: string, name: string) => `${baseUrl}${ERRORS_PATH}#${name}`;
