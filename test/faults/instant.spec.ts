import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { correctAnswer, type Task } from '../instant-answers.js';
import { type RawAgent, send } from '../raw-agent.js';
import { CLEAN } from '../world.js';
import { answered, CrashFixture } from './crash-fixture.js';

const CASE_TIMEOUT_MS = 60_000;
const SHOWN_TRIES_MAX = 100;
const SHOWN_PAUSE_MS = 100;

let fixture: CrashFixture;
beforeAll(async () => void (fixture = await CrashFixture.start()));
afterAll(() => fixture.stop());

const POINTS = ['InstantTaskAnswered', 'JobClosed', 'Hired', 'Delivered', 'DeliveryRead', 'Accepted'] as const;

async function dies(agent: RawAgent, task: Task, point: string): Promise<unknown> {
  const body = agent.signed('submit', {
    id: String(task.id),
    answer: await correctAnswer(agent.url, task, agent.seed),
  });
  fixture.child.dieAt(point);
  try {
    await expect(agent.resend('instant/submit', body)).rejects.toThrow();
    await fixture.child.ended;
  } finally {
    fixture.child.dieAt();
  }
  return body;
}

/** Waits for the hire without repeating the request. */
async function shown(agent: RawAgent): Promise<unknown> {
  for (let tries = 0; tries < SHOWN_TRIES_MAX; tries += 1) {
    const { body } = await send(fixture.url, `/api/muse/${agent.museId}`);
    const [position] = body['positions'] as { acceptance: unknown }[];
    if (position?.acceptance) return position;
    await new Promise(resolve => setTimeout(resolve, SHOWN_PAUSE_MS));
  }
  throw new Error('The hire was never completed.');
}

test.each(POINTS)(
  'killed after %s, a passed task is one hire, with and without a retry',
  async point => {
    const [asks, waits] = [await fixture.raw(`asks ${point}`), await fixture.raw(`waits ${point}`)];
    const taskOf = async (agent: RawAgent) => (await agent.post('instant')).body['task'] as unknown as Task;
    const body = await dies(asks, await taskOf(asks), `[after ${point}]`);
    await fixture.restart();
    const reply = await answered(() => asks.resend('instant/submit', body));
    expect([reply.status, reply.body['passed'], typeof reply.body['hire']]).toEqual([200, true, 'number']);
    expect((await asks.resend('instant/submit', body)).body['code']).toBe('nonce_used');

    await dies(waits, await taskOf(waits), `[after ${point}]`);
    await fixture.restart();
    expect(await shown(waits)).toMatchObject({ status: 'hired', settlement: 'delivered', poster: null });
  },
  CASE_TIMEOUT_MS,
);

test('each event was written once, and the log passes the audit', () =>
  fixture.examine(async world => {
    const types = ['InstantTaskAnswered', 'JobPosted', 'SeatFilled', 'Hired', 'Delivered', 'DeliveryRead', 'Accepted'];
    expect(await world.counts(...types)).toEqual(types.map(() => 2 * POINTS.length));
    expect(await world.audit()).toEqual(CLEAN);
  }));
