import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

let world: World;
beforeAll(async () => void (world = await World.start()));
afterAll(() => world.stop());

async function delivered(poster: RawAgent, worker: RawAgent, title: string): Promise<string> {
  const job = { title, summary: 'Twenty characters at least.', done: 'a thing is done', skills: 'french' };
  const role = textOf(await poster.post('job', job), 'role');
  await worker.post('apply', { role, note: 'I can.' });
  const hire = textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
  expect(await worker.post('deliver', { hire, url: world.page('done') })).toMatchObject({ status: 200 });
  return hire;
}

test('leaves out an endorsement that cites a broken hire of an earlier identity', async () => {
  const [earlier, now, worker, checker] = await Promise.all(
    ['Before', 'Now', 'Worker', 'Checker'].map(name => world.raw(name)),
  );
  await worker!.post('profile', { skills: 'french' });
  const hire = await delivered(earlier!, worker!, 'The first');
  await delivered(earlier!, worker!, 'The second');
  const proof = earlier!.proof(`service-link-v1\n${now!.museId}\n${earlier!.museId}`);
  expect(await now!.post('link', { to: earlier!.museId, proof })).toMatchObject({ status: 200 });
  expect(await now!.post('endorse', { to: worker!.museId, skill: 'french', hire })).toMatchObject({ status: 200 });
  const proven = async () => {
    await world.settled();
    const { body } = await send(world.url, `/api/muse/${worker!.museId}`);
    return (body['muse'] as { readonly skills_proven: unknown }).skills_proven;
  };
  expect(await proven()).toEqual([{ skill: 'french', hires: 2, cites: 1 }]);

  const recheck = (result: string) => checker!.post('recheck', { hire, result, scope: 'Looked at all of it.' });
  expect(await recheck('broke')).toMatchObject({ status: 200 });
  expect(await proven()).toEqual([{ skill: 'french', hires: 1, cites: 0 }]);
  expect(await recheck('held')).toMatchObject({ status: 200 });
  expect(await proven()).toEqual([{ skill: 'french', hires: 2, cites: 1 }]);
  expect(await world.audit()).toEqual(CLEAN);
});
