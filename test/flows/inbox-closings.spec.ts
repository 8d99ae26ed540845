import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RawAgent, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

/** More than an inbox looks at one by one. */
const MANY = 55;
const TIMEOUT_MS = 60_000;
const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' };

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const post = async (poster: RawAgent) => textOf(await poster.post('job', job), 'role');
const close = async (poster: RawAgent, role: string) =>
  expect((await poster.post('close', { role })).body).toMatchObject({ ok: true });

test(
  'who has applied hears that a role was closed, however many others were closed meanwhile, and of these nothing',
  async () => {
    const [poster, worker] = [await world.raw('Poster'), await world.raw('Worker')];
    const [few, many] = [await post(poster), await post(poster)];
    for (const role of [few, many]) await worker.post('apply', { role, note: 'Gladly.' });
    const read = async () => {
      await world.settled();
      return (await worker.post('inbox', {})).body['items'];
    };
    await close(poster, few);
    expect(await read()).toMatchObject([{ kind: 'closed', role: few }]);

    for (let n = 0; n < MANY; n += 1) await close(poster, await post(poster));
    await close(poster, many);
    expect(await read()).toMatchObject([{ kind: 'closed', role: many }]);
    expect(await read()).toEqual([]);
    expect(await world.audit()).toEqual(CLEAN);
  },
  TIMEOUT_MS,
);
