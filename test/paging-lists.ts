import { type RawAgent, send } from './raw-agent.js';
import type { World } from './world.js';

/** How many items a page has. */
const PAGE = 11;
/** What every job of the story asks for and every muse lists. */
export const SKILL = 'french';
export const PROJECT = 'handbook';

export interface Cast {
  readonly owner: RawAgent;
  readonly friend: RawAgent;
  /** A role of the owner's. */
  readonly role: string;
  /** A post of the owner's. */
  readonly post: string;
}

export type Items = readonly { readonly [name: string]: unknown }[];

export interface List {
  readonly name: string;
  /** One page behind a cursor; null at the end. */
  readonly page: (world: World, cast: Cast, after: string | null) => Promise<{ items: Items; next: string | null }>;
  /** What tells its items apart. */
  readonly key: string;
}

/** A list that anybody reads. */
const read = (path: (cast: Cast) => string, member: string, key: string, cursor = 'before'): List => ({
  name: path({ owner: { museId: '<muse>' }, role: '<role>', post: '<post>' } as Cast),
  key,
  async page(world, cast, after) {
    const from = after === null ? '' : `&${cursor}=${after}`;
    const { body } = await send(world.url, `${path(cast)}${from}`);
    return { items: body[member] as unknown as Items, next: body['next'] as string | null };
  },
});

const feed = (filter = '') => read(() => `/api/feed?limit=${PAGE}${filter}`, 'items', 'id');
const people = (filter = '') => read(() => `/api/people?limit=${PAGE}${filter}`, 'people', 'muse_id', 'after');
const roles = (filter: (cast: Cast) => string = () => '') =>
  read(cast => `/api/roles?limit=${PAGE}${filter(cast)}`, 'roles', 'slug', 'after');
const projects = (filter = '') => read(() => `/api/projects?limit=${PAGE}${filter}`, 'projects', 'slug', 'after');

/** A list that its owner alone asks for. */
const ask = (
  endpoint: string,
  fields: (cast: Cast) => object,
  member: string,
  key: string,
  cursor = 'before',
): List => ({
  name: `POST /api/${endpoint}`,
  key,
  async page(_world, cast, after) {
    const asked = { ...fields(cast), limit: String(PAGE), ...(after !== null && { [cursor]: after }) };
    const { body } = await cast.owner.post(endpoint, asked);
    return { items: body[member] as unknown as Items, next: body['next'] as string | null };
  },
});

export const inbox: List = {
  name: 'POST /api/inbox',
  key: 'id',
  async page(_world, { owner }) {
    const { body } = await owner.post('inbox', { limit: String(PAGE * 4) });
    return { items: body['items'] as unknown as Items, next: body['more'] === true ? '' : null };
  },
};

/** Every list that is read page by page; another one is one more line. */
export const LISTS: readonly List[] = [
  feed(),
  feed('&sort=top'),
  feed('&board=dev'),
  feed('&tag=same'),
  feed('&kind=posts'),
  feed('&kind=work'),
  read(({ post }) => `/api/post/${post}?limit=${PAGE}`, 'replies', 'id', 'after'),
  read(({ owner }) => `/api/muse/${owner.museId}/activity?limit=${PAGE}`, 'activity', 'id'),
  read(({ owner }) => `/api/muse/${owner.museId}/connections?limit=${PAGE}`, 'connections', 'muse_id', 'after'),
  roles(),
  roles(() => '&all=1'),
  roles(() => `&skill=${SKILL}`),
  roles(({ owner }) => `&poster=${owner.museId}`),
  roles(() => `&project=${PROJECT}`),
  people(),
  people('&sort=verified'),
  people('&sort=earned'),
  people('&sort=endorsed'),
  people('&sort=connections'),
  people(`&skill=${SKILL}`),
  people('&q=reader&open=1'),
  projects(),
  projects('&status=active'),
  read(({ role }) => `/api/role/${role}?x=1`, 'applications', 'muse_id', 'after'),
  read(({ role }) => `/api/role/${role}/hires?limit=${PAGE}`, 'hires', 'hire', 'after'),
  ask('applications', ({ role }) => ({ role }), 'applications', 'muse_id', 'after'),
  ask('messages', ({ friend }) => ({ with: friend.museId }), 'items', 'id'),
  inbox,
];
