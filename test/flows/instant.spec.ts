import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { correctAnswer, type Task } from '../instant-answers.js';
import { quickstart, type RawAgent, type Reply, send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();

const taskOf = async (agent: RawAgent) => (await agent.post('instant')).body['task'] as unknown as Task;
const submit = (agent: RawAgent, task: Pick<Task, 'id'>, answer: string, more: { [name: string]: string } = {}) =>
  agent.resend('instant/submit', agent.signed('submit', { id: String(task.id), answer, ...more }));
const codeOf = ({ status, body }: Reply) => [status, body['code']];

async function pass(agent: RawAgent): Promise<{ task: Task; answer: string; hire: number; body: JsonObject }> {
  const task = await taskOf(agent);
  const answer = await correctAnswer(world.url, task, agent.seed);
  const { body } = await submit(agent, task, answer, { source: 'worked out' });
  expect([task.kind, body]).toEqual([task.kind, expect.objectContaining({ ok: true, passed: true })]);
  return { task, answer, hire: body['hire'] as number, body };
}

describe('an agent that passes its tasks', () => {
  test('is hired by the house three times with a signed record and gets no fourth task', async () => {
    const ada = await world.raw('Ada');
    await ada.post('post', { text: 'Something that a claim can be about.' });
    await world.settle();
    const passed = [await pass(ada), await pass(ada), await pass(ada)];
    expect(new Set(passed.map(({ task }) => task.kind)).size).toBe(3);
    expect((await ada.post('instant')).body).toEqual({ ok: true, task: null });
    await world.settle();

    for (const { task, answer, hire } of passed) {
      const digest = createHash('sha256').update(answer).digest('hex');
      const { body } = await send(world.url, `/api/instant/${task.id}`);
      expect(body).toMatchObject({ id: task.id, kind: task.kind, answer, digest, hire, source: 'worked out' });
      expect(body['muse_id']).toBe(ada.museId);

      const role = `instant-${task.id}`;
      const record = (await send(world.url, `/api/record/hire/${hire}`)).body;
      expect(record['live']).toMatchObject({ matches: true });
      const payload = JSON.parse((record['record'] as { payload: string }).payload) as JsonObject;
      expect(payload).toMatchObject({ hire, role, worker: ada.museId, poster: null, settlement: 'delivered' });
      expect(payload['delivery']).toMatchObject({ url: `/api/instant/${task.id}`, digest });
      expect((await send(world.url, `/api/role/${role}`)).body['role']).toMatchObject({
        status: 'closed',
        closed_reason: 'filled',
        house: true,
        hired: [ada.museId],
        seats_left: 0,
      });
    }
    const { body } = await send(world.url, `/api/muse/${ada.museId}`);
    expect(body['muse']).toMatchObject({ hired: true, proven: [] });
    expect(body['positions']).toHaveLength(3);
    expect(await world.eventTypes(`hire-${passed[0]!.hire}`)).toEqual([
      'Hired',
      'Delivered',
      'DeliveryRead',
      'Accepted',
    ]);
  });

  test('gets matching open roles but never the role of a task', async () => {
    const [poster, ben] = [await world.raw('Poster'), await world.raw('Ben')];
    const fields = { title: 'Count words', summary: 'Count the words of a long page.', done: 'a number of words' };
    await poster.post('job', { ...fields, skills: 'counting' });
    await ben.post('profile', { skills: 'counting' });
    await world.settle();
    const { body } = await pass(ben);
    expect(body['next_jobs']).toEqual([expect.objectContaining({ do: 'apply', title: 'Count words' })]);
    await world.settle();
    const listed = (await send(world.url, '/api/roles')).body['roles'] as { slug: string }[];
    expect(listed.filter(({ slug }) => slug.startsWith('instant-'))).toEqual([]);
    const { items } = (await send(world.url, '/api/feed?limit=50')).body as {
      items: { kind: string; data: JsonObject }[];
    };
    const ofTasks = items.filter(({ data }) => (data['role'] as string | undefined)?.startsWith('instant-'));
    expect(new Set(ofTasks.map(({ kind }) => kind))).toEqual(new Set(['hired']));
  });

  test('an agent that passes its tasks may erase its answer while the digest stays', async () => {
    const kim = await world.raw('Kim');
    const { task, answer, hire } = await pass(kim);
    await kim.post('forget', { confirm: kim.museId });
    await world.settle();
    const digest = createHash('sha256').update(answer).digest('hex');
    const { body } = await send(world.url, `/api/instant/${task.id}`);
    expect(body).toMatchObject({ answer: null, source: null, digest, hire });
    expect((await send(world.url, `/api/record/hire/${hire}`)).body['live']).toMatchObject({ matches: null });
  });
});

describe('a task', () => {
  test('stays the same until it is answered, by GET or POST', async () => {
    const { headers } = await quickstart(world.url, { kind: 'solver' });
    const first = await send(world.url, '/api/instant', { headers });
    expect(first.status).toBe(200);
    const again = await send(world.url, '/api/instant', { headers, body: {} });
    expect(again.body).toEqual(first.body);
    expect(Object.keys(first.body['task'] as object).sort()).toEqual(['expires_at', 'id', 'input', 'kind', 'prompt']);
  });

  test('is issued by an uncached GET, and never by HEAD', async () => {
    const { headers } = await quickstart(world.url, { kind: 'getter' });
    const { headers: responseHeaders } = await send(world.url, '/api/instant', { headers });
    expect([responseHeaders.get('cache-control'), responseHeaders.get('etag'), responseHeaders.get('vary')]).toEqual([
      'no-store',
      null,
      null,
    ]);
    const tagged = await send(world.url, '/api/instant?utm_source=x', { headers });
    expect(tagged.body['ignored']).toEqual(['utm_source']);
    const head = await send(world.url, '/api/instant', { method: 'HEAD', headers });
    expect([head.status, head.headers.get('allow')?.split(', ').sort()]).toEqual([405, ['GET', 'POST']]);
    const unsigned = await send(world.url, '/api/instant');
    expect([...codeOf(unsigned), unsigned.headers.get('cache-control')]).toEqual([401, 'unsigned', 'no-store']);
    const wrong = await send(world.url, '/api/instant', { headers: { authorization: 'Bearer nothing' } });
    expect(codeOf(wrong)).toEqual([401, 'bad_token']);
  });

  test('is ended by a wrong answer without a hire', async () => {
    const eve = await world.raw('Eve');
    const task = await taskOf(eve);
    const { status, body } = await submit(eve, task, 'wrong');
    expect([status, body]).toEqual([
      200,
      { ok: true, passed: false, why: expect.any(String), next_jobs: expect.any(Array) },
    ]);
    const right = await correctAnswer(world.url, task, eve.seed);
    expect(codeOf(await submit(eve, task, right))).toEqual([409, 'already_answered']);
    expect((await send(world.url, `/api/instant/${task.id}`)).status).toBe(404);
    const next = await taskOf(eve);
    expect([next.id === task.id, next.kind === task.kind]).toEqual([false, false]);
  });

  test('belongs to its agent alone and is signed for its own endpoint', async () => {
    const [fay, gil] = [await world.raw('Fay'), await world.raw('Gil')];
    const task = await taskOf(fay);
    const answer = await correctAnswer(world.url, task, fay.seed);
    expect(codeOf(await submit(gil, task, answer))).toEqual([404, 'not_found']);
    const hal = await world.raw('Hal');
    expect(codeOf(await hal.resend('instant/submit', hal.signed('instant', { id: '1', answer: 'x' })))).toEqual([
      401,
      'signature_mismatch',
    ]);
  });
});

test('the client signs only the challenge of its own task', async () => {
  const jan = await world.agent('Jan');
  const { task } = await jan.instant();
  const own = { id: task!.id, input: { challenge: `service-instant-v1\n${task!.id}\n${jan.museId}\nrest` } };
  expect(await jan.signChallenge(own)).toMatch(/^[A-Za-z0-9_-]{86}$/);
  const others = [
    `service-v1\nverify\n1\n2\n${jan.museId}`,
    `service-instant-v1\n${task!.id + 1}\n${jan.museId}\nrest`,
    `service-instant-v1\n${task!.id}\nagent_0000000000\nrest`,
    `${own.input.challenge}\nmore`,
  ];
  for (const challenge of others)
    await expect(jan.signChallenge({ ...own, input: { challenge } })).rejects.toThrow('not signed');
});
