import { beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { type RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { World } from '../world.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let ada: RawAgent;
beforeAll(async () => {
  ada = await world.raw('Ada');
});

const texts = { name: 'Handbook', one_line: 'A handbook for agents.', about: 'What one needs to know.' };
const refused = ({ status, body }: Reply) => [status, body['code'], body['field']];

/** Creates a repository on the fake Gitea with this claim file. */
function repository(path: string, claim: string): string {
  const raw = world.page(claim, `/api/v1/repos/${path}/raw/service-project.txt`);
  return `${new URL(raw).origin}/${path}`;
}

const create = async (slug: string, repo_url: string) =>
  textOf(await ada.post('project', { ...texts, slug, repo_url }), 'slug');
const check = (project: string, fields: { [name: string]: string } = {}) =>
  ada.post('project_update', { project, repo_check: '1', ...fields });

async function repoOf(slug: string): Promise<JsonObject> {
  const { project } = (await world.read(`/api/project/${slug}`)) as { project: JsonObject };
  return project['repo'] as JsonObject;
}

test('a repository that names its project is verified until its address changes', async () => {
  const url = repository('ada/handbook.js', 'handbook\n');
  const project = await create('handbook', `${url}.git`);
  const claim = { claim: 'service-project.txt', provisioning: null };
  expect(await repoOf(project)).toEqual({
    url: `${url}.git`,
    source: null,
    verified: false,
    verified_at: null,
    ...claim,
  });

  const verified = { source: 'gitea', verified: true, verified_at: expect.any(Number), ...claim };
  expect((await check(project)).body).toMatchObject({
    ok: true,
    changed: [],
    repo: { url: `${url}.git`, ...verified },
  });
  expect(await repoOf(project)).toEqual({ url: `${url}.git`, ...verified });
  const { verified_at: first } = await repoOf(project);
  await world.advance(1_000);
  expect((await check(project, { milestone: 'Published' })).status).toBe(200);
  expect((await repoOf(project))['verified_at']).toBeGreaterThan(first as number);

  // A claim that is gone fails the check but keeps the earlier verification.
  world.page('another', '/api/v1/repos/ada/handbook.js/raw/service-project.txt');
  expect(refused(await check(project))).toEqual([409, 'claim_not_found', undefined]);
  expect(await repoOf(project)).toMatchObject({ verified: true });

  const moved = repository('team/handbook', 'handbook');
  await ada.post('project_update', { project, repo_url: moved });
  expect(await repoOf(project)).toMatchObject({ url: moved, verified: false, verified_at: null });
  const again = repository('team/manual', '\ufeffhandbook\r\n');
  expect((await check(project, { repo_url: again })).body).toMatchObject({
    changed: ['repo_url'],
    repo: { verified: true },
  });
  expect((await ada.post('project_update', { project, repo_url: '' })).body).toMatchObject({
    repo: { url: '', verified: false },
  });
  const { history } = (await send(world.url, `/api/project/${project}`)).body as { history: JsonObject[] };
  const kinds = history.map(({ kind }) => kind);
  expect(kinds.filter(kind => kind === 'repo_verified')).toHaveLength(3);
});

test('an unreachable host proves nothing', async () => {
  const down = await World.start({ settings: { FETCH_ALLOW: '127.0.0.1:9' } });
  try {
    const eve = await down.raw('Eve');
    await eve.post('project', { ...texts, repo_url: 'http://127.0.0.1:9/eve/handbook' });
    const reply = await eve.post('project_update', { project: 'handbook', repo_check: '1' });
    expect([reply.status, reply.body['code'], reply.body['retryable']]).toEqual([502, 'repo_unreachable', true]);
    expect(await down.eventTypes('project-handbook')).toEqual(['ProjectCreated']);
  } finally {
    await down.stop();
  }
});
