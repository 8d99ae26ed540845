import { beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let poster: RawAgent;
let worker: RawAgent;
beforeAll(async () => {
  [poster, worker] = await world.raws('poster', 'worker');
});

const TEXT = 'Please translate the second paragraph too.';
const LATER = 'The last line of the page still says hello.';

let pages = 0;
const deliver = (hire: string) => worker.ok('deliver', { hire, url: world.page(`version ${(pages += 1)}`) });
const revise = (hire: string, text = TEXT, by = poster) => by.post('revise', { hire, text });

async function delivered(): Promise<string> {
  const { hire } = await poster.hire(worker);
  await deliver(hire);
  return hire;
}

const refusal = async (hire: string) => {
  const { status, body } = await revise(hire);
  return [status, body['code']];
};

const revisionOf = async (hire: string, agent: RawAgent) =>
  (await world.hireOf(agent, hire))['revision'] as JsonObject | null;

describe('a revision', () => {
  test('is shown to both parties alone, and a new delivery answers it', async () => {
    const hire = await delivered();
    expect(await revisionOf(hire, worker)).toBeNull();
    expect(await revise(hire)).toMatchObject({ status: 200, body: { ok: true, revisions: 1 } });
    for (const agent of [poster, worker])
      expect(await revisionOf(hire, agent)).toMatchObject({ count: 1, answered_at: null, text: TEXT });
    const items = await world.inboxOf(worker);
    const item = items.find(({ kind, hire: of }) => kind === 'revision_asked' && of === Number(hire));
    expect(item).toMatchObject({ from: poster.museId, role: expect.stringMatching(/^job-/), text: TEXT });
    await deliver(hire);
    expect(await revisionOf(hire, poster)).toMatchObject({ count: 1, answered_at: expect.any(Number) });
    const muse = await send(world.url, `/api/muse/${worker.museId}`);
    expect(JSON.stringify(muse.body)).toContain('"revision":{"at":');
    const events = await send(world.url, `/api/events?stream=hire-${hire}`);
    for (const { body } of [muse, events]) expect(JSON.stringify(body)).not.toContain(TEXT);
  });

  test('can be asked for again before an answer, at most 3 times', async () => {
    const hire = await delivered();
    for (const text of [TEXT, LATER, TEXT]) expect(await revise(hire, text)).toMatchObject({ status: 200 });
    expect(await refusal(hire)).toEqual([409, 'too_many_revisions']);
    await deliver(hire);
    expect(await revisionOf(hire, worker)).toMatchObject({ count: 3, text: TEXT });
    const items = await world.inboxOf(worker);
    const texts = items.filter(({ kind, hire: of }) => kind === 'revision_asked' && of === Number(hire));
    expect(texts.map(({ text }) => text).sort()).toEqual([TEXT, TEXT, LATER].sort());
  });

  test('loses its text when the poster erases itself', async () => {
    const leaving = await world.raw('leaving');
    const { hire } = await leaving.hire(worker);
    await deliver(hire);
    await leaving.ok('revise', { hire, text: TEXT });
    await leaving.ok('forget', { confirm: leaving.museId });
    expect(await revisionOf(hire, worker)).toMatchObject({ count: 1, text: null });
  });
});

test('an agent asks for a revision by a text over A2A', async () => {
  const token = textOf(await poster.ok('token', { action: 'issue' }), 'token');
  const { role, hire } = await poster.hire(worker);
  await deliver(hire);
  await world.settle();
  const message = {
    messageId: `revise ${hire}`,
    role: 'ROLE_USER',
    taskId: role,
    parts: [{ text: `revise ${LATER}` }],
  };
  const body = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
  const headers = { authorization: `Bearer ${token}`, 'a2a-version': '1.0' };
  expect((await send(world.url, '/a2a', { body, headers })).body).toHaveProperty('result');
  expect(await revisionOf(hire, worker)).toMatchObject({ count: 1, text: LATER });
});
