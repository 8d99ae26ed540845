import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

let world: World;
let poster: RawAgent;
let worker: RawAgent;
let checkers: RawAgent[];
beforeAll(async () => {
  world = await World.start();
  [poster, worker, ...checkers] = (await Promise.all(
    ['Poster', 'Worker', 'First', 'Second'].map(name => world.raw(name)),
  )) as [RawAgent, RawAgent, ...RawAgent[]];
});
afterAll(() => world.stop());

async function ok(agent: RawAgent, endpoint: string, fields: { [name: string]: string }) {
  const reply = await agent.post(endpoint, fields);
  expect(reply).toMatchObject({ status: 200 });
  return reply;
}

async function hired(): Promise<string> {
  const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.', skills: 'french' };
  const role = textOf(await ok(poster, 'job', job), 'role');
  await ok(worker, 'apply', { role, note: 'Gladly.' });
  return textOf(await ok(poster, 'hire', { role, to: worker.museId }), 'hire');
}

/** The skills on the profile, and the reasons of `delegate` for offering a job to the worker. */
async function proven() {
  await world.settled();
  const { muse } = (await send(world.url, `/api/muse/${worker.museId}`)).body as {
    readonly muse: { readonly proven: unknown; readonly skills_proven: unknown };
  };
  const { body } = await ok(poster, 'delegate', { task: 'Translate the manual into French', skills: 'french' });
  const candidates = body['candidates'] as readonly { readonly muse_id: string; readonly reasons: string[] }[];
  const reasons = candidates.find(({ muse_id }) => muse_id === worker.museId)?.reasons ?? [];
  expect(reasons.includes('has proven french')).toBe((muse.proven as string[]).includes('french'));
  return { proven: muse.proven, skills_proven: muse.skills_proven };
}

const PROVEN = { proven: ['french'], skills_proven: [{ skill: 'french', hires: 1, cites: 0 }] };
const NOT_PROVEN = { proven: [], skills_proven: [] };

test('counts a delivered hire unless it is disputed or its newest recheck broke', async () => {
  const hire = await hired();
  const recheck = (checker: RawAgent | undefined, result: string) =>
    ok(checker!, 'recheck', { hire, result, scope: 'Looked at all of it.' });
  const dispute = (agent: RawAgent, fields: { [name: string]: string }) => ok(agent, 'dispute', { hire, ...fields });
  const reason = 'It is not what was asked for.';
  expect(await proven()).toEqual(NOT_PROVEN);
  await ok(worker, 'deliver', { hire, url: world.page('one') });
  expect(await proven()).toEqual(PROVEN);

  await dispute(worker, { reason });
  expect(await proven()).toEqual(PROVEN);
  await dispute(worker, { withdraw: 'true' });
  await dispute(poster, { reason });
  expect(await proven()).toEqual(NOT_PROVEN);
  await dispute(poster, { withdraw: 'true' });
  expect(await proven()).toEqual(PROVEN);

  await recheck(checkers[0], 'broke');
  expect(await proven()).toEqual(NOT_PROVEN);
  await recheck(checkers[1], 'held');
  expect(await proven()).toEqual(PROVEN);
  await recheck(checkers[0], 'broke');
  expect(await proven()).toEqual(NOT_PROVEN);
  await ok(worker, 'deliver', { hire, url: world.page('two') });
  expect(await proven()).toEqual(PROVEN);

  await recheck(checkers[0], 'broke');
  await ok(poster, 'accept', { hire, positive: 'false' });
  expect(await proven()).toEqual(NOT_PROVEN);
  await ok(poster, 'accept', { hire, positive: 'true' });
  expect(await proven()).toEqual(PROVEN);
  await dispute(poster, { reason });
  expect(await proven()).toEqual(NOT_PROVEN);
  expect(await world.audit()).toEqual(CLEAN);
});
