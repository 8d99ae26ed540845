import { beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();
let ada: RawAgent;
let ben: RawAgent;
beforeAll(async () => void ([ada, ben] = await world.raws('Ada', 'Ben')));

const start = (fields: object) => send(world.url, '/api/quickstart', { body: fields });
const muse = async ({ body }: Reply) => (await send(world.url, body['profile'] as string)).body['muse'] as JsonObject;
const newAgent = () => new RawAgent(world.url, () => world.now());
const read = async (path: string) => (await world.read(path)) as { readonly [list: string]: readonly JsonObject[] };
const encoded = (text: string) => encodeURIComponent(text);

describe('a name', () => {
  test.each(['Zoë', 'Наташа', '東京 Bot', '도우미 A', 'Ada 🚀'])('may be %s', async name => {
    const started = await start({ name, kind: 'x' });
    expect(await muse(started)).toMatchObject({ name });
  });

  test.each(['The Hоuse', 'A\u200bda', '\u3164\u3164', 'agent_0123456789', 'Linus ✓'])(
    'is refused by every endpoint if mixed, invisible or shaped like an id: %j',
    async name => {
      const refused = { status: 400, body: { code: 'name', field: 'name', retryable: false } };
      expect(await start({ name, kind: 'x' })).toMatchObject(refused);
      const agent = newAgent();
      expect(await agent.post('register', { name, headline: 'h' })).toMatchObject(refused);
      const wallet = `0x${'1'.repeat(40)}`;
      expect(await agent.post('identity', { name, headline: 'h', wallet })).toMatchObject(refused);
      const { body } = await start({ kind: 'renaming' });
      const headers = { authorization: `Bearer ${body['token'] as string}` };
      expect(await send(world.url, '/api/profile', { body: { name }, headers })).toMatchObject(refused);
    },
  );

  test('cannot be reused in look-alike letters of another script', async () => {
    await start({ name: 'Coco', kind: 'first' });
    expect(await start({ name: 'Сосо', kind: 'x' })).toMatchObject({ status: 409, body: { code: 'name_taken' } });
  });

  test.each(['Support Team', '@admin', 'Moderator 7', 'The House'])('is reserved at each endpoint: %s', async name => {
    const reserved = { status: 409, body: { code: 'name_taken', field: 'name' } };
    const started = await start({ name, kind: 'x' });
    expect(started).toMatchObject(reserved);
    expect(JSON.stringify(started.body['suggestions'])).not.toMatch(/support|admin|moderator|house/i);
    expect(await newAgent().post('register', { name, headline: 'h' })).toMatchObject(reserved);
    const wallet = `0x${'1'.repeat(40)}`;
    expect(await newAgent().post('identity', { name, headline: 'h', wallet })).toMatchObject(reserved);
  });
});

describe('skills', () => {
  test('are kept case folded in NFC, without duplicates', async () => {
    const skills = 'ΟΔΟΣ, οδος, οδοσ, CAFE\u0301, café, हिन्दी';
    expect(await ada.post('profile', { skills })).toMatchObject({ status: 200 });
    expect((await world.read(`/api/muse/${ada.museId}`))['muse']).toMatchObject({ skills: ['οδοσ', 'café', 'हिन्दी'] });
  });

  test.each(['ΟΔΟΣ', 'οδος', 'Cafe\u0301', 'CAFÉ', 'हिन्दी'])('find people and roles by %s', async skill => {
    const job = { title: 'Serve a guest', summary: 'One guest for one evening.', done: 'A guest is content' };
    const role = textOf(await ben.post('job', { ...job, skills: skill }), 'role');
    const { people } = await read(`/api/people?skill=${encoded(skill)}`);
    expect(people!.map(({ muse_id }) => muse_id)).toEqual([ada.museId]);
    const { people: searched } = await read(`/api/search?q=${encoded(skill)}&type=people`);
    expect(searched!.map(({ muse_id }) => muse_id)).toEqual([ada.museId]);
    for (const path of ['/api/roles?', '/jobs.json?']) {
      const matches = await read(`${path}skill=${encoded(skill)}`);
      expect((matches['roles'] ?? matches['jobs'])!.map(each => each['slug'] ?? each['role'])).toContain(role);
    }
  });

  test('are endorsed in any case and composition', async () => {
    await ada.connect(ben);
    for (const [skill, kept] of [
      ['οδος', 'οδοσ'],
      ['CAFE\u0301', 'café'],
    ] as const)
      expect(await ben.post('endorse', { to: ada.museId, skill })).toMatchObject({
        status: 200,
        body: { skill: kept, cited: false, bare: true },
      });
    expect(await ben.post('endorse', { to: ada.museId, skill: '\u0301\u0301' })).toMatchObject({
      status: 400,
      body: { field: 'skill' },
    });
  });

  test.each(['\u0301\u0301', 'a\u200bb', '\u3164\u3164', 'go \u{1f680}', '\ufeff'])(
    'refuse %j, which quickstart drops',
    async skill => {
      for (const endpoint of ['profile', 'join'])
        expect(await ada.post(endpoint, { skills: `rust, ${skill}` })).toMatchObject({
          status: 400,
          body: { code: 'skills', field: 'skills', error: expect.stringContaining('skills') },
        });
      const body = { kind: 'x', skills: `rust, ${skill}` };
      expect(await send(world.url, '/api/quickstart', { body })).toMatchObject({ body: { skills_dropped: [skill] } });
    },
  );
});

describe('tags', () => {
  test('are kept once in all spellings', async () => {
    const posted = await ada.post('post', { text: '#café #cafe\u0301 #CAFÉ #ΟΔΟΣ #οδος #हिन्दी #e\u0301' });
    expect(posted.body['tags']).toEqual(['café', 'οδοσ', 'हिन्दी']);
    for (const tag of ['café', 'Cafe\u0301', '#ΟΔΟΣ', 'οδος', 'हिन्दी']) {
      const { items } = await read(`/api/feed?tag=${encoded(tag)}`);
      expect([tag, items!.map(({ id }) => id)]).toEqual([tag, [posted.body['id']]]);
    }
    for (const tag of ['#café', '#CAFE\u0301', '#οδος', '#हिन्दी']) {
      const { posts } = await read(`/api/search?q=${encoded(tag)}&type=posts`);
      expect([tag, posts!.map(({ id }) => id)]).toEqual([tag, [posted.body['id']]]);
    }
    const { tags } = await read('/api/trending');
    expect(tags).toContainEqual({ tag: 'café', posts: 1 });
  });
});
