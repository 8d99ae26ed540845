import { expect, test } from '@jest/globals';
import { send, textOf } from '../raw-agent.js';
import { waitUntil } from '../wait-until.js';
import { World } from '../world.js';
import { useWorld } from '../use-world.js';
import { telling } from './telling.js';

let before: (type: string) => Promise<void> = () => Promise.resolve();
const world = useWorld(() => World.start({ overrides: { stores: telling(type => before(type)) } }));

test('a worker forgotten during its hire frees the seat, and the poster is notified', async () => {
  const [poster, worker] = [await world.raw('Poster'), await world.raw('Worker')];
  const job = { title: 'For one who is there', summary: 'Twenty characters at least.', done: 'a thing is done' };
  const role = textOf(await poster.post('job', job), 'role');
  await worker.post('apply', { role, note: 'I can.' });
  let isHired = false;
  before = async type => {
    // Keeps the withdrawal of the application from preventing the hire.
    if (type === 'Withdrawn') await waitUntil(() => isHired);
    if (type !== 'SeatFilled') return;
    const forget = worker.signed('forget', { confirm: worker.museId });
    expect(await send(world.url, '/api/forget', { body: forget })).toMatchObject({ status: 200 });
  };
  const answer = await poster.post('hire', { role, to: worker.museId });
  isHired = true;
  expect(answer).toMatchObject({ status: 200, body: { ok: true } });
  await waitUntil(async () => (await world.eventTypes(`job-${role}`)).includes('SeatFreed'));
  await world.settle();
  expect(await send(world.url, `/api/role/${role}`)).toMatchObject({
    body: { role: { status: 'open', seats_left: 1 } },
  });
  const hire = Number(textOf(answer, 'hire'));
  const { items } = (await poster.post('inbox', { peek: 'true' })).body as { items: object[] };
  const reason = 'The worker has erased its identity.';
  expect(items).toContainEqual(expect.objectContaining({ kind: 'hire_ended', hire, by: worker.museId, reason }));
});
