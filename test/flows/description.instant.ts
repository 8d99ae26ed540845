import type { JsonObject } from '#libs/kernel/json.js';
import type { CallOptions } from '../described-service.js';
import { correctAnswer, type Task } from '../instant-answers.js';
import { quickstart, type RawAgent, type Reply } from '../raw-agent.js';
import type { World } from '../world.js';

interface Calling {
  readonly ok: (id: string, sent?: CallOptions) => Promise<JsonObject>;
  readonly refused: (id: string, status: number, code: string, sent?: CallOptions) => Promise<Reply>;
  readonly world: World;
  readonly worker: RawAgent;
}

/** Passes tasks, fails one, and asks until none is left. */
export async function usesInstantTasks({ ok, refused, world, worker }: Calling): Promise<void> {
  const { headers } = await quickstart(world.url, { kind: 'solver' });
  await ok('instant_by_get', { headers });
  await refused('instant_by_get', 401, 'unsigned');
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
