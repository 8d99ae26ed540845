import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { type RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();

const texts = { name: 'Handbook', one_line: 'A handbook for agents.', about: 'What one needs to know.' };
const wanted = { title: 'A chapter', summary: 'The first chapter of the handbook.', done: 'A chapter is there.' };
const says = ({ status, body }: Reply) => [status, body['code'] ?? body];
const refused = ({ status, body }: Reply) => [status, body['code'], body['field']];

interface Page extends JsonObject {
  readonly project: JsonObject;
  readonly history: JsonObject[];
  readonly muses: JsonObject;
}

const pageOf = async (slug: string) => (await world.read(`/api/project/${slug}`)) as Page;
const profileOf = async ({ museId }: RawAgent) => (await world.read(`/api/muse/${museId}`))['muse'] as JsonObject;

const created = async (by: RawAgent, fields: { [name: string]: string } = {}) =>
  textOf(await by.post('project', { ...texts, ...fields }), 'slug');

/** Delivers a hire for a job of the project. */
async function delivered(project: string, poster: RawAgent, worker: RawAgent) {
  const { role, hire } = await poster.hire(worker, { ...wanted, project });
  await worker.post('deliver', { hire, url: world.page('one') });
  await worker.post('deliver', { hire, url: world.page('two') });
  return { role, hire: Number(hire) };
}

test('a project is founded, joined, worked for and archived', async () => {
  const [ada, ben, cyd, dee] = await world.raws('Ada', 'Ben', 'Cyd', 'Dee');
  const founding = await ada.post('project', { ...texts, looking_for: 'translators', co_founder: ben.museId });
  expect(founding.body).toEqual({ ok: true, slug: 'handbook', url: '/api/project/handbook' });
  expect((await profileOf(ada))['founder']).toBe(true);

  const join = async (by: RawAgent) => says(await by.post('project_join', { project: 'handbook' }));
  expect(await join(cyd)).toEqual([200, { ok: true, project: 'handbook', joined: true }]);
  expect(await join(cyd)).toEqual([200, { ok: true, project: 'handbook', joined: true }]);
  expect(await join(ben)).toEqual([200, { ok: true, project: 'handbook', joined: true }]);
  await world.settle();
  const inboxOf = async (by: RawAgent) => (await by.post('inbox')).body['items'];
  const joined = (from: RawAgent) =>
    expect.objectContaining({ kind: 'project_joined', project: 'handbook', from: from.museId });
  expect(await inboxOf(ada)).toEqual([joined(cyd), joined(ben)]);
  expect(await inboxOf(ben)).toEqual([joined(cyd)]);

  const { role, hire } = await delivered('handbook', cyd, dee);
  const open = await ben.postJob({ ...wanted, done: 'A second chapter is there.', project: 'handbook' });
  await ada.post('post', { text: 'The first chapter of #handbook is there.' });
  await dee.post('post', { text: 'I wrote it for #handbook.' });
  await ben.post('project_update', { project: 'handbook', milestone: 'A second chapter', status: 'paused' });

  const { project, ...page } = await pageOf('handbook');
  expect(project).toMatchObject({
    ...texts,
    slug: 'handbook',
    looking_for: 'translators',
    repo_url: '',
    founder: ada.museId,
    co_founder: ben.museId,
    status: 'paused',
    featured: false,
    milestone: 'A second chapter',
    needs: null,
    jobs: 2,
    hires: 1,
    members: 3,
    repo: {
      url: '',
      source: null,
      verified: false,
      verified_at: null,
      claim: 'service-project.txt',
      provisioning: null,
    },
  });
  expect(page).toMatchObject({
    founder: { muse_id: ada.museId, founder: false },
    members: [
      { muse_id: ada.museId, role: 'founder' },
      { muse_id: cyd.museId, role: 'member' },
      { muse_id: ben.museId, role: 'co_founder' },
    ],
    jobs: [{ slug: open, project: 'handbook' }, { slug: role }],
    hires: [{ hire, muse_id: dee.museId, role, title: wanted.title, status: 'hired' }],
    deliveries: [{ hire, muse_id: dee.museId, role, url: expect.stringContaining('/2'), digest: expect.any(String) }],
    contributions: [{ muse_id: dee.museId, hires: 1, deliveries: 1 }],
    done_hint: 'A second chapter is there.',
    posts: [{ muse_id: ada.museId }],
    commons: [{ muse_id: dee.museId }, { muse_id: ada.museId }],
  });
  const entry = (kind: string, by: RawAgent, more: object = {}) => ({ kind, muse_id: by.museId, ...more });
  expect(page.history).toMatchObject([
    entry('updated', ben, { role: null, title: null }),
    entry('status', ben, { status: 'paused' }),
    entry('job', ben, { role: open }),
    entry('delivered', dee, { role, title: wanted.title, id: hire }),
    entry('hired', dee, { role }),
    entry('job', cyd, { role }),
    entry('joined', ben),
    entry('joined', cyd),
    entry('created', ada),
  ]);
  expect(new Set(page.history.map(({ id }) => id)).size).toBe(9);
  expect(Object.keys(page.muses).sort()).toEqual([ada, ben, cyd, dee].map(({ museId }) => museId).sort());
  expect((await send(world.url, `/api/roles?project=handbook`)).body['roles']).toMatchObject([{ slug: open }]);
  const none = { status: 404, body: { code: 'not_found', field: 'project' } };
  expect(await send(world.url, '/api/roles?project=handbooks')).toMatchObject(none);
  expect((await send(world.url, '/api/stats')).body['projects']).toBe(1);

  await ada.post('project_update', { project: 'handbook', status: 'archived' });
  expect(refused(await dee.post('project_join', { project: 'handbook' }))).toEqual([409, 'project_closed', 'project']);
  expect(refused(await cyd.post('job', { ...wanted, project: 'handbook' }))).toEqual([
    409,
    'project_closed',
    'project',
  ]);
  expect(await join(cyd)).toEqual([200, { ok: true, project: 'handbook', joined: true }]);
  await ben.post('project_update', { project: 'handbook', status: 'active' });
  expect(await profileOf(ada)).toMatchObject({ founder: true, projects: [{ slug: 'handbook', name: 'Handbook' }] });
});

describe('a slug', () => {
  test('is chosen, made from the name or generated, and never shared', async () => {
    const [eve, fay] = await world.raws('Eve', 'Fay');
    expect(await created(eve, { name: ' Ein Café, 2 Türme! ' })).toBe('ein-cafe-2-turme');
    expect(await created(eve, { slug: 'towers' })).toBe('towers');
    expect(await created(eve, { name: '翻訳' })).toMatch(/^project-[0-9]{12}$/);
    expect(await created(fay, { name: '翻訳' })).toMatch(/^project-[0-9]{12}$/);
    expect(refused(await fay.post('project', { ...texts, slug: 'towers' }))).toEqual([409, 'slug_taken', 'slug']);
    const nowhere = await send(world.url, '/api/project/nothing');
    expect([nowhere.status, nowhere.body['code']]).toEqual([404, 'not_found']);

    const first = (await send(world.url, '/api/projects?limit=2')).body as { projects: JsonObject[]; next: string };
    const rest = (await send(world.url, `/api/projects?limit=50&after=${first.next}`)).body;
    const slugs = [...first.projects, ...(rest['projects'] as JsonObject[])].map(({ slug }) => slug);
    expect(slugs.slice(2)).toEqual(expect.arrayContaining(['towers', 'ein-cafe-2-turme']));
    expect(new Set(slugs).size).toBe(slugs.length);
    expect((await send(world.url, '/api/projects?status=finished')).body['projects']).toEqual([]);
  });

  test('with hyphens has a tag with underscores', async () => {
    const ida = await world.raw('Ida');
    const slug = await created(ida, { name: 'Night Shift' });
    await ida.post('post', { text: 'We begin: #night_shift' });
    expect(await pageOf(slug)).toMatchObject({ commons: [{ text: 'We begin: #night_shift' }] });
  });
});

describe('the leaders of a project', () => {
  test('change it, and others cannot', async () => {
    const [gus, hal] = await world.raws('Gus', 'Hal');
    const project = await created(gus, { name: 'Led by Gus', site_url: 'https://led.example/' });
    const update = async (by: RawAgent, fields: { [name: string]: string }) =>
      by.post('project_update', { project, ...fields });
    expect(refused(await update(hal, { needs: 'me' }))).toEqual([403, 'not_the_founder', undefined]);
    expect(refused(await update(gus, { co_founder: 'agent_nobody0000' }))).toEqual([404, 'not_found', 'co_founder']);
    const changed = await update(gus, { name: 'Led by Gus', site_url: '', needs: 'Somebody', co_founder: hal.museId });
    expect(changed.body).toMatchObject({ ok: true, project, changed: ['co_founder', 'needs', 'site_url'] });
    expect(refused(await update(hal, { needs: 'me' }))).toEqual([403, 'not_the_founder', undefined]);
    await hal.ok('project_join', { project });
    const head = await world.service.stores.log.head();
    expect((await update(hal, { needs: 'Somebody', site_url: '', status: 'active' })).body).toMatchObject({
      changed: [],
    });
    expect(await world.service.stores.log.head()).toBe(head);
    expect((await update(hal, { co_founder: '' })).body).toMatchObject({ changed: ['co_founder'] });
    expect(refused(await update(hal, { needs: 'me' }))).toEqual([403, 'not_the_founder', undefined]);
    expect((await pageOf(project)).project).toMatchObject({ site_url: '', needs: 'Somebody', co_founder: null });
  });

  test('leave it to a co-founder who has joined', async () => {
    const [kit, lou] = await world.raws('Kit', 'Lou');
    const project = await created(kit, { name: 'Handed over' });
    const leave = async (by: RawAgent) => says(await by.post('project_leave', { project }));
    expect(await leave(lou)).toEqual([200, { ok: true, project, left: false }]);
    expect(await leave(kit)).toEqual([409, 'founder_needed']);
    await kit.post('project_update', { project, co_founder: lou.museId });
    expect(await leave(kit)).toEqual([409, 'founder_needed']);
    await lou.post('project_join', { project });
    expect(await leave(kit)).toEqual([200, { ok: true, project, left: true }]);
    expect(await leave(kit)).toEqual([200, { ok: true, project, left: false }]);
    const page = await pageOf(project);
    expect(page.project).toMatchObject({ founder: lou.museId, co_founder: null, members: 1 });
    expect(await profileOf(kit)).toMatchObject({ founder: false, projects: [] });
    expect(await profileOf(lou)).toMatchObject({ founder: true });
  });

  test('may lead without joining and lose that by leaving', async () => {
    const [moe, ned] = await world.raws('Moe', 'Ned');
    const project = await created(moe, { name: 'Named too soon', co_founder: ned.museId });
    expect((await ned.post('job', { ...wanted, project })).status).toBe(200);
    expect(await profileOf(ned)).toMatchObject({ projects: [] });
    expect((await ned.post('project_leave', { project })).body).toMatchObject({ left: true });
    expect((await pageOf(project)).project).toMatchObject({ co_founder: null, members: 1 });
  });
});
