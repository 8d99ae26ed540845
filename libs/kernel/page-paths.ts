import { ERRORS_PATH } from './problem-type.js';

/** An address of this service, from its root. */
export type Path = `/${string}`;

const pathBuilder =
  (folder: string) =>
  (name: string | number): Path =>
    `/${folder}/${encodeURIComponent(name)}`;

/** Where people look at something in a browser: the paths of the pages. */
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
  status: '/status',
  docs: '/docs',
  calling: '/docs/calling',
  errors: ERRORS_PATH,
  events: '/docs/events',
  shapes: '/docs/shapes',
  /** Where an operation of the interface is described. */
  operation: pathBuilder('docs'),
  /** A shape of requests and answers, by its name. */
  shape: (name: string): Path => `/docs/shapes#${name}`,
  /** A code of failures. */
  error: (code: string): Path => `${ERRORS_PATH}#${code}`,
} as const;

/** The picture of a page, as previews show it. */
export const picturePath = (page: Path): Path => `${page === '/' ? '' : page}/picture.png` as Path;

/** A path with a query string: of what is left out or empty nothing. */
export function withQuery(path: Path, query: { readonly [name: string]: string | undefined }): Path {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
