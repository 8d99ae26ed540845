import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

test('who is forgotten leaves the project without what it said, and with what others said', async () => {
  const [gil, una] = await Promise.all([world.raw('Gil'), world.raw('Una')]);
  const named = { name: 'Left behind', one_line: 'Said by Gil.', about: 'What one needs to know.' };
  const project = textOf(await gil.post('project', { ...named, co_founder: una.museId }), 'slug');
  const crew = textOf(await gil.post('crew', { name: 'Left crew' }), 'slug');
  await una.post('project_update', { project, one_line: 'Said by Una.' });
  await gil.post('project_update', { project, needs: 'Said by Gil.' });
  await una.post('project_update', { project, needs: 'Said by Una.', milestone: 'First' });
  expect((await gil.post('forget', { confirm: gil.museId })).status).toBe(200);
  expect((await una.post('project_update', { project, milestone: 'Second', about: '' })).body).toMatchObject({
    code: 'about',
  });
  expect((await una.post('project_update', { project, milestone: 'Second', looking_for: '' })).status).toBe(200);
  await world.settled();
  const { project: shown } = (await send(world.url, `/api/project/${project}`)).body;
  const erased = { name: null, about: null, repo_url: null };
  const kept = { one_line: 'Said by Una.', needs: 'Said by Una.', milestone: 'Second', looking_for: '' };
  expect(shown).toMatchObject({ slug: 'left-behind', founder: gil.museId, ...erased, ...kept });
  expect((await send(world.url, `/api/crew/${crew}`)).body['crew']).toMatchObject({ name: null });
  expect(await world.audit()).toEqual(CLEAN);
});
