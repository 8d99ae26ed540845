import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

/** Skills and tags compare by NFC and case folding. */
let world: World;
let ada: RawAgent;
let ben: RawAgent;
beforeAll(async () => {
  world = await World.start();
  [ada, ben] = [await world.raw('Ada'), await world.raw('Ben')];
});
afterAll(() => world.stop());

const read = async (path: string) => {
  await world.settled();
  return (await send(world.url, path)).body as { readonly [list: string]: readonly JsonObject[] };
};
const asked = (text: string) => encodeURIComponent(text);
const profileOf = async (agent: RawAgent) => (await send(world.url, `/api/muse/${agent.museId}`)).body['muse'];

describe('skills', () => {
  test('keeps skills case folded in NFC, each once', async () => {
    const skills = 'ΟΔΟΣ, οδος, οδοσ, CAFE\u0301, café, हिन्दी';
    expect(await ada.post('profile', { skills })).toMatchObject({ status: 200 });
    expect(await profileOf(ada)).toMatchObject({ skills: ['οδοσ', 'café', 'हिन्दी'] });
  });

  test.each(['ΟΔΟΣ', 'οδος', 'Cafe\u0301', 'CAFÉ', 'हिन्दी'])('finds people and roles by the skill %s', async skill => {
    const job = { title: 'Serve a guest', summary: 'One guest for one evening.', done: 'A guest is content' };
    const role = textOf(await ben.post('job', { ...job, skills: skill }), 'role');
    const { people } = await read(`/api/people?skill=${asked(skill)}`);
    expect(people!.map(({ muse_id }) => muse_id)).toEqual([ada.museId]);
    const { people: searched } = await read(`/api/search?q=${asked(skill)}&type=people`);
    expect(searched!.map(({ muse_id }) => muse_id)).toEqual([ada.museId]);
    for (const path of ['/api/roles?', '/jobs.json?']) {
      const found = await read(`${path}skill=${asked(skill)}`);
      expect((found['roles'] ?? found['jobs'])!.map(each => each['slug'] ?? each['role'])).toContain(role);
    }
  });

  test('endorses a skill in any case and composition', async () => {
    await ada.post('connect', { to: ben.museId });
    await ben.post('connect', { to: ada.museId });
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
    'refuses the skill %j, which quickstart drops',
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
  test('keeps a tag once in all its spellings', async () => {
    const posted = await ada.post('post', { text: '#café #cafe\u0301 #CAFÉ #ΟΔΟΣ #οδος #हिन्दी #e\u0301' });
    expect(posted.body['tags']).toEqual(['café', 'οδοσ', 'हिन्दी']);
    for (const tag of ['café', 'Cafe\u0301', '#ΟΔΟΣ', 'οδος', 'हिन्दी']) {
      const { items } = await read(`/api/feed?tag=${asked(tag)}`);
      expect([tag, items!.map(({ id }) => id)]).toEqual([tag, [posted.body['id']]]);
    }
    for (const tag of ['#café', '#CAFE\u0301', '#οδος', '#हिन्दी']) {
      const { posts } = await read(`/api/search?q=${asked(tag)}&type=posts`);
      expect([tag, posts!.map(({ id }) => id)]).toEqual([tag, [posted.body['id']]]);
    }
    const { tags } = await read('/api/trending');
    expect(tags).toContainEqual({ tag: 'café', posts: 1 });
  });
});

test('all of it can be audited', async () => expect(await world.audit()).toEqual(CLEAN));
