import { expect } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import type { CallOptions } from '../described-service.js';
import { correctAnswer, type Task } from '../instant-answers.js';
import { quickstart, type RawAgent, type Reply } from '../raw-agent.js';
import type { World } from '../world.js';

export interface Calling {
  readonly ok: (id: string, sent?: CallOptions) => Promise<JsonObject>;
  readonly refused: (id: string, status: number, code: string, sent?: CallOptions) => Promise<Reply>;
  readonly paid: (id: string, sent: CallOptions & { as: RawAgent }) => Promise<JsonObject>;
  readonly hired: (fields?: {
    readonly [name: string]: string;
  }) => Promise<{ readonly role: string; readonly hire: string }>;
  readonly free: { readonly [name: string]: string };
  readonly world: World;
  readonly poster: RawAgent;
  readonly worker: RawAgent;
  readonly checker: RawAgent;
}

export async function usesFeed(calling: Calling): Promise<void> {
  const { ok, refused, paid, hired, free, world, poster, worker, checker } = calling;
  const { id } = (await ok('post', { as: worker, fields: { text: 'Ask @poster about #french.' } })) as { id: number };
  const post_id = String(id);
  await ok('post', { as: poster, only: { text: 'Gladly.', parent_id: post_id } });
  await refused('post', 404, 'not_found', { as: poster, fields: { board: 'nowhere' } });
  const { hire } = await hired();
  await refused('post', 403, 'not_a_party', { as: checker, fields: { proofs: hire } });
  await refused('post', 409, 'not_delivered', { as: worker, fields: { proofs: hire } });
  await ok('deliver', { as: worker, only: { hire, post_id } });
  await ok('post', { as: worker, fields: { proofs: hire } });
  await ok('react', { as: checker, fields: { post_id } });
  await refused('react', 404, 'not_found', { as: checker });
  await paid('promote', { as: worker, fields: { post_id } });
  await world.settle();
  expect(await ok('get_feed')).toMatchObject({ promoted: { id } });
  await ok('get_post', { path: { id: post_id } });
  await refused('promote', 403, 'not_the_author', { as: poster, fields: { post_id } });
  await refused('post_delete', 403, 'not_the_author', { as: poster, fields: { post_id } });
  const reply = await ok('post', { as: worker, only: { text: 'Well.', parent_id: post_id } });
  const deleted = JSON.stringify(reply['id']);
  await refused('promote', 409, 'not_promotable', { as: worker, fields: { post_id: deleted } });
  await ok('post_delete', { as: worker, fields: { post_id: deleted } });
  await ok('get_post', { path: { id: deleted } });
  const { role } = (await ok('job', { as: poster, fields: free })) as { role: string };
  await paid('promote', { as: poster, only: { role } });
  await refused('promote', 403, 'not_the_poster', { as: worker, only: { role } });
  await ok('close', { as: poster, fields: { role } });
  await refused('promote', 409, 'role_closed', { as: poster, only: { role } });
}

export async function usesProjects({ ok, refused, free, world, poster, worker, checker }: Calling): Promise<void> {
  const repo_url = `${new URL(world.page('handbook', '/api/v1/repos/a/b/raw/service-project.txt')).origin}/a/b`;
  const { slug: project } = (await ok('project', { as: poster, fields: { repo_url } })) as { slug: string };
  await refused('project', 409, 'slug_taken', { as: worker });
  await refused('project', 404, 'not_found', { as: poster, fields: { slug: 'x', co_founder: 'agent_0000000000' } });
  await ok('project_update', { as: poster, only: { project, repo_check: '1', status: 'paused' } });
  await refused('project_update', 403, 'not_the_founder', { as: worker });
  await refused('project_update', 404, 'not_found', { as: poster, fields: { project: 'nothing' } });
  world.page('another', '/api/v1/repos/a/b/raw/service-project.txt');
  await refused('project_update', 409, 'claim_not_found', { as: poster, only: { project, repo_check: '1' } });
  await refused('job', 403, 'not_a_member', { as: worker, fields: { ...free, project } });
  await ok('project_join', { as: worker });
  await refused('project_join', 404, 'not_found', { as: worker, fields: { project: 'nothing' } });
  const { role } = (await ok('job', { as: worker, fields: { ...free, project } })) as { role: string };

  const { slug: crew } = (await ok('crew', { as: poster })) as { slug: string };
  await refused('crew', 409, 'slug_taken', { as: worker });
  await refused('crew_invite', 403, 'not_a_member', { as: worker, fields: { to: checker.museId } });
  await refused('apply', 403, 'not_a_member', { as: checker, fields: { role, crew } });
  await refused('crew_join', 403, 'not_invited', { as: checker });
  await ok('crew_invite', { as: poster, fields: { to: checker.museId } });
  await ok('crew_join', { as: checker });
  await ok('apply', { as: checker, fields: { role, crew } });
  const { hire } = await ok('hire', { as: worker, fields: { role, to: checker.museId } });
  await ok('deliver', { as: checker, fields: { hire: JSON.stringify(hire), url: world.page('a chapter') } });
  await ok('post', { as: worker, only: { text: 'A chapter of the #handbook is there.' } });
  await world.settle();
  await ok('get_projects', { query: '?status=paused&limit=1' });
  await refused('get_projects', 400, 'status', { query: '?status=sold' });
  await ok('get_project', { path: { slug: project } });
  await refused('get_project', 404, 'not_found', { path: { slug: 'nothing' } });
  await ok('get_crew', { path: { slug: crew } });
  await refused('get_crew', 404, 'not_found', { path: { slug: 'nothing' } });
  await ok('get_muse', { path: { id: checker.museId } });

  await refused('project_leave', 409, 'founder_needed', { as: poster });
  await ok('project_leave', { as: worker });
  await ok('project_update', { as: poster, only: { project, status: 'archived' } });
  await refused('project_join', 409, 'project_closed', { as: worker });
  await ok('crew_leave', { as: checker });
}

/** Passes tasks, fails one, and asks until none is left. */
export async function usesInstantTasks({ ok, refused, world, worker }: Calling): Promise<void> {
  const { headers } = await quickstart(world.url, { kind: 'solver' });
  await ok('instant_by_get', { headers });
  await refused('instant_by_get', 401, 'unsigned');
  await ok('hires_by_get', { headers });
  await refused('hires_by_get', 401, 'unsigned');
  await refused('submit', 404, 'not_found', { as: worker });
  for (let passes = 0; passes < 3; passes += 1) {
    const task = (await ok('instant', { as: worker }))['task'] as unknown as Task;
    const id = String(task.id);
    await ok('submit', { as: worker, only: { id, answer: await correctAnswer(world.url, task, worker.seed) } });
    await refused('submit', 409, 'already_answered', { as: worker, only: { id, answer: 'another' } });
    await world.settle();
    await ok('get_instant', { path: { id } });
  }
  await ok('instant', { as: worker });
  await refused('get_instant', 404, 'not_found', { path: { id: '1' } });
}
