import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

let world: World;
beforeAll(async () => void (world = await World.start()));
afterAll(() => world.stop());

const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' };

/** When each position of a muse was first handed to the other side, the newest first. */
async function readTimes(worker: RawAgent): Promise<unknown[]> {
  await world.settled();
  const { body } = await send(world.url, `/api/muse/${worker.museId}`);
  const positions = body['positions'] as unknown as readonly JsonObject[];
  return positions.map(({ status, read_at }) => [status, read_at]);
}

test('a hire was read when the application was that it was made on, whatever is applied for behind it', async () => {
  const [poster, worker] = [await world.raw('Poster'), await world.raw('Worker')];
  const role = textOf(await poster.post('job', job), 'role');
  await worker.post('apply', { role, note: 'Gladly.' });
  await world.settled();
  await poster.post('inbox', {});
  await world.settled();
  const hired = await poster.post('hire', { role, to: worker.museId });
  const hire = textOf(hired, 'hire');
  const [[, readAt]] = (await readTimes(worker)) as [[string, number]];
  expect(readAt).toBeGreaterThan(0);
  expect(hired.body['position']).toMatchObject({ read_at: readAt });
  await poster.post('end_hire', { hire, reason: 'It is not needed any more.' });
  await worker.post('apply', { role, note: 'Once more.' });
  expect(await readTimes(worker)).toEqual([
    ['applied', null],
    ['hired', readAt],
  ]);
  await world.pass(1_000);
  await poster.post('inbox', {});
  const [[, again], [, first]] = (await readTimes(worker)) as [[string, number], [string, number]];
  expect([again > readAt, first]).toEqual([true, readAt]);
  expect(await world.audit()).toEqual(CLEAN);
});

test('an application that is handed out behind its hire is read then', async () => {
  const [poster, worker] = [await world.raw('Fast'), await world.raw('Hired')];
  const role = textOf(await poster.post('job', job), 'role');
  await worker.post('apply', { role, note: 'Gladly.' });
  await poster.post('hire', { role, to: worker.museId });
  expect(await readTimes(worker)).toEqual([['hired', null]]);
  await poster.post('inbox', {});
  expect(await readTimes(worker)).toEqual([['hired', expect.any(Number)]]);
  expect(await world.audit()).toEqual(CLEAN);
});
