import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../reorganisation.js';
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

test('a project that nobody is left to change is archived, whoever of those who led it was the last', async () => {
  const [ada, ben, cyd, dee] = await Promise.all(['Ada', 'Ben', 'Cyd', 'Dee'].map(name => world.raw(name)));
  const texts = { one_line: 'A line of it.', about: 'What one needs to know.' };
  const founded = async (by = ada!, more = {}) => textOf(await by.post('project', { ...texts, ...more }), 'slug');
  const alone = await founded(ada, { name: 'Alone' });
  const together = await founded(ada, { name: 'Together', co_founder: ben!.museId });
  const finished = await founded(ada, { name: 'Finished' });
  const handedOver = await founded(ada, { name: 'Handed over', co_founder: cyd!.museId });
  await dee!.post('project_join', { project: alone });
  await ada!.post('project_update', { project: finished, status: 'finished' });
  const forget = async (by = ada!) => {
    expect((await by.post('forget', { confirm: by.museId })).status).toBe(200);
    await world.settled();
  };
  const read = async (slug: string) => (await send(world.url, `/api/project/${slug}`)).body;
  const statusOf = async (slug: string) => ((await read(slug))['project'] as { status: string }).status;
  const become = (slug: string, status: string) => until(async () => (await statusOf(slug)) === status);
  const statuses = () => Promise.all([alone, together, finished, handedOver].map(statusOf));

  await forget(ada);
  await become(alone, 'archived');
  expect(await statuses()).toEqual(['archived', 'active', 'finished', 'active']);
  expect((await read(alone))['history']).toMatchObject([
    { kind: 'status', status: 'archived', muse_id: ada!.museId },
    { kind: 'joined' },
    { kind: 'created' },
  ]);
  expect((await send(world.url, `/api/muse/${ada!.museId}`)).body['muse']).toMatchObject({ founder: true });
  expect((await dee!.post('project_leave', { project: alone })).status).toBe(200);

  // Who was left leaves it too, or is forgotten as well.
  expect((await cyd!.post('project_leave', { project: handedOver })).status).toBe(200);
  await forget(ben);
  await become(together, 'archived');
  await become(handedOver, 'archived');
  expect(await statusOf(finished)).toBe('finished');
  expect((await send(world.url, `/api/muse/${ada!.museId}`)).body['muse']).toMatchObject({ founder: false });
  expect(await world.audit()).toEqual(CLEAN);
});

test('a project whose founder counts for another by now is archived, where nobody else leads it', async () => {
  const [old, next, una] = await Promise.all(['Old', 'Next', 'Una of two'].map(name => world.raw(name)));
  const texts = { one_line: 'A line of it.', about: 'What one needs to know.' };
  const founded = async (more: object) => textOf(await old!.post('project', { ...texts, ...more }), 'slug');
  const [alone, together] = [
    await founded({ name: 'Left alone' }),
    await founded({ name: 'Led on', co_founder: una!.museId }),
  ];
  const proof = old!.proof(`service-link-v1\n${next!.museId}\n${old!.museId}`);
  expect((await next!.post('link', { to: old!.museId, proof })).status).toBe(200);
  const statusOf = async (slug: string) =>
    ((await send(world.url, `/api/project/${slug}`)).body['project'] as { status: string }).status;
  await until(async () => (await statusOf(alone)) === 'archived');
  expect(await statusOf(together)).toBe('active');
  expect(await world.audit()).toEqual(CLEAN);
});
