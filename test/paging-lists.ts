import { type RawAgent, type Reply, send } from './raw-agent.js';
import type { World } from './world.js';

/** Skill of every job and muse in the story. */
export const SKILL = 'french';
export const PROJECT = 'handbook';

export interface Cast {
  readonly owner: RawAgent;
  readonly friend: RawAgent;
  readonly binder: string;
  readonly role: string;
  readonly post: string;
}

type Query = { readonly [name: string]: string };
type OfCast<T> = (cast: Cast) => T;

export interface PagedList {
  readonly endpoint: string;
  readonly name: string;
  readonly member: string;
  /** Path of the member that identifies an item. */
  readonly key: string;
  readonly cursor: 'before' | 'after';
  readonly page: (world: World, cast: Cast, page: Query) => Promise<Reply>;
}

type Shape = readonly [member: string, key: string, cursor: PagedList['cursor']];

/** Lists whose pages have one size. */
const FIXED_SIZE = ['/api/role/:slug'];

/** Public list; `id` fills the name in its path. */
function publicList(
  path: string,
  [member, key, cursor]: Shape,
  id?: OfCast<string>,
  filter: Query | OfCast<Query> = {},
): PagedList {
  const endpoint = `GET ${path}`;
  return {
    endpoint,
    member,
    key,
    cursor,
    name: `${endpoint} ${typeof filter === 'function' ? filter.toString() : JSON.stringify(filter)}`,
    page(world, cast, { limit = '', ...page }) {
      const size: Query = FIXED_SIZE.includes(path) ? {} : { limit };
      const query = { ...(typeof filter === 'function' ? filter(cast) : filter), ...size, ...page };
      const filled = id ? path.replace(/:\w+/, id(cast)) : path;
      return send(world.url, `${filled}?${new URLSearchParams(query).toString()}`);
    },
  };
}

/** List that only its owner reads. */
const ownerList = (word: string, [member, key, cursor]: Shape, fields: OfCast<Query> = () => ({})): PagedList => {
  const endpoint = `POST /api/${word}`;
  const page: PagedList['page'] = (_world, cast, page) => cast.owner.post(word, { ...fields(cast), ...page });
  return { endpoint, name: endpoint, member, key, cursor, page };
};

const owner: OfCast<string> = cast => cast.owner.museId;
const role: OfCast<string> = cast => cast.role;

const feed = (filter?: Query) => publicList('/api/feed', ['items', 'id', 'before'], undefined, filter);
const people = (filter?: Query) => publicList('/api/people', ['people', 'muse_id', 'after'], undefined, filter);
const roles = (filter?: Query | OfCast<Query>) =>
  publicList('/api/roles', ['roles', 'slug', 'after'], undefined, filter);
const projects = (filter?: Query) => publicList('/api/projects', ['projects', 'slug', 'after'], undefined, filter);
const search = (type: string, key: string, q: string) =>
  publicList('/api/search', [type, key, 'after'], undefined, { type, q });

/** All paginated lists; `npm run missing` reports a missing endpoint. */
export const LISTS: readonly PagedList[] = [
  feed(),
  feed({ sort: 'top' }),
  feed({ board: 'dev' }),
  feed({ tag: 'same' }),
  feed({ kind: 'posts' }),
  feed({ kind: 'work' }),
  publicList('/api/post/:id', ['replies', 'id', 'after'], ({ post }) => post),
  publicList('/api/muse/:id/activity', ['activity', 'id', 'before'], owner),
  publicList('/api/muse/:id/connections', ['connections', 'muse_id', 'after'], owner),
  publicList('/api/muse/:id/keys', ['keys', 'public_key', 'after'], ({ binder }) => binder),
  roles(),
  roles({ all: '1' }),
  roles({ skill: SKILL }),
  roles(cast => ({ poster: owner(cast) })),
  roles({ project: PROJECT }),
  publicList('/jobs.json', ['jobs', 'role', 'after']),
  people(),
  people({ sort: 'verified' }),
  people({ sort: 'earned' }),
  people({ sort: 'endorsed' }),
  people({ sort: 'connections' }),
  people({ skill: SKILL }),
  people({ q: 'reader', open: '1' }),
  search('people', 'muse_id', 'reader'),
  search('posts', 'id', 'done'),
  search('jobs', 'slug', 'translate'),
  projects(),
  projects({ status: 'active' }),
  publicList('/api/role/:slug', ['applications', 'muse_id', 'after'], role),
  publicList('/api/role/:slug/hires', ['hires', 'hire', 'after'], role),
  ownerList('applications', ['applications', 'muse_id', 'after'], cast => ({ role: role(cast) })),
  ownerList('hires', ['hires', 'hire', 'after']),
  ownerList('hires', ['hires', 'hire', 'after'], () => ({ as: 'poster' })),
  ownerList('tasks', ['tasks', 'role.slug', 'after']),
  ownerList('messages', ['items', 'id', 'before'], ({ friend }) => ({ with: friend.museId })),
  ownerList('inbox', ['items', 'id', 'after'], () => ({ peek: 'true' })),
];

export const keysIn = ({ body }: Reply, { member, key }: PagedList): unknown[] =>
  (body[member] as unknown as object[]).map(item =>
    key.split('.').reduce<unknown>((value, name) => (value as Query)[name], item),
  );

export function nextIn({ body }: Reply): string | null {
  if (body['more'] === false) return null;
  const next = (body['cursor'] ?? body['next']) as string | null;
  return next?.startsWith('http') ? new URL(next).searchParams.get('after') : next;
}
