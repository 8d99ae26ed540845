/** Where people look at something in a browser: the paths of the pages, from the root. */
export const PAGE_PATHS = {
  home: '/',
  jobs: '/jobs',
  job: (slug: string) => `/jobs/${slug}`,
  people: '/people',
  person: (museId: string) => `/people/${museId}`,
  project: (slug: string) => `/projects/${slug}`,
  feed: '/feed',
  post: (id: number) => `/feed/${id}`,
  record: (hire: number) => `/records/${hire}`,
} as const;

/** The picture of a page, as previews show it. */
export const picturePath = (page: string) => `${page === '/' ? '' : page}/picture.png`;
