import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

let world: World;
let ada: RawAgent;
let role: string;
let post: string;
beforeAll(async () => {
  world = await World.start();
  ada = await world.raw('Ada');
  const [ben, eve] = await Promise.all([world.raw('Ben'), world.raw('Eve')]);
  for (const each of [ada, ben]) await each.post('profile', { skills: 'french' });
  const job = { title: 'A french job', summary: 'Twenty characters at least.', done: 'a thing is done', seats: '2' };
  for (let n = 0; n < 3; n += 1) {
    role = textOf(await ada.post('job', { ...job, skills: 'french' }), 'role');
    post = textOf(await ada.post('post', { text: 'A french text.', board: 'dev' }), 'id');
    const project = { name: `Book ${n}`, one_line: 'A book for agents.', about: 'A book about all that agents need.' };
    expect((await ada.post('project', { ...project, repo_url: `https://github.com/ada/book${n}` })).status).toBe(200);
  }
  for (const other of [ben, eve]) {
    await other.post('apply', { role, note: 'Gladly.' });
    await other.post('post', { text: 'A reply.', parent_id: post });
    await ada.post('connect', { to: other.museId });
    await other.post('connect', { to: ada.museId });
    await ada.post('message', { to: ben.museId, text: 'Hello.' });
  }
  for (const { museId } of [ben, eve]) await ada.post('hire', { role, to: museId });
  await world.settled();
  lists = listsOf(ben);
});
afterAll(() => world.stop());

type List = (cursor: Record<string, string>) => Promise<Reply>;
let lists: readonly (readonly [name: string, cursor: 'before' | 'after', read: List])[];

const listsOf = (ben: RawAgent) =>
  [
    ['feed', 'before', get('/api/feed')],
    ['feed by kind', 'before', get('/api/feed?kind=posts')],
    ['feed of a board', 'before', get('/api/feed?board=dev')],
    ['activity', 'before', get(`/api/muse/${ada.museId}/activity`)],
    ['replies', 'after', get(`/api/post/${post}`)],
    ['roles', 'after', get('/api/roles')],
    ['roles of a poster', 'after', get(`/api/roles?poster=${ada.museId}`)],
    ['hires of a role', 'after', get(`/api/role/${role}/hires`)],
    ['projects', 'after', get('/api/projects')],
    ['people', 'after', get('/api/people')],
    ['people by skill', 'after', get('/api/people?skill=french')],
    ['people by earnings', 'after', get('/api/people?sort=earned')],
    ['connections', 'after', get(`/api/muse/${ada.museId}/connections`)],
    ['people with words', 'after', get('/api/search?q=french&type=people')],
    ['posts with words', 'after', get('/api/search?q=french&type=posts')],
    ['jobs with words', 'after', get('/api/search?q=french&type=jobs')],
    ['jobs.json', 'after', get('/jobs.json')],
    ['applications', 'after', ask('applications', { role })],
    ['tasks', 'after', ask('tasks', {})],
    ['messages', 'before', ask('messages', { with: ben.museId })],
    ['inbox', 'after', ask('inbox', { peek: 'true' })],
  ] as const;

function get(path: string): List {
  return cursor => {
    const url = new URL(path, world.url);
    for (const [name, value] of Object.entries({ limit: '1', ...cursor })) url.searchParams.set(name, value);
    return send(world.url, url.pathname + url.search);
  };
}

function ask(endpoint: string, fields: { [name: string]: string }): List {
  return cursor => ada.post(endpoint, { ...fields, limit: '1', ...cursor });
}

/** Returns the cursor after the first page. */
function cursorIn({ body }: Reply): string {
  const next = textOf({ body } as Reply, 'cursor' in body ? 'cursor' : 'next');
  return next.startsWith('http') ? new URL(next).searchParams.get('after')! : next;
}

test('every list accepts its own cursors and refuses the cursors of other lists', async () => {
  const cursors = new Map<string, string>();
  for (const [name, , read] of lists) {
    const reply = await read({});
    expect([name, reply.status, reply.body]).toEqual([name, 200, reply.body]);
    cursors.set(name, cursorIn(reply));
  }
  expect([...cursors].filter(([, cursor]) => cursor === 'null' || cursor === '')).toEqual([]);
  for (const [name, field, read] of lists)
    for (const [other, cursor] of cursors) {
      const { status, body } = await read({ [field]: cursor });
      const expected = name === other ? [200, undefined] : [400, field];
      expect([name, other, status, body['code']]).toEqual([name, other, ...expected]);
    }
});

test('a private list refuses the cursor of another caller', async () => {
  const { body } = await ada.post('inbox', { peek: 'true', limit: '1' });
  const other = await world.raw('Other');
  const reply = await other.post('inbox', { peek: 'true', after: body['since'] as string });
  expect(reply).toMatchObject({ status: 400, body: { code: 'after' } });
});

test('the log passes the audit', async () => expect(await world.audit()).toEqual(CLEAN));
