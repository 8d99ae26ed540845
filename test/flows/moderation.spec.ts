import { beforeAll, expect, test } from '@jest/globals';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { Muse } from '#libs/domain/muse.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { quickstart, type RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { operatorBeside } from './operator-beside.js';

const world = useWorld();
let ada: RawAgent;
let ben: RawAgent;
beforeAll(async () => void ([ada, ben] = await world.raws('Ada', 'Ben')));

const operator = async (...argv: string[]) => (await operatorBeside(world, argv)).json as JsonObject;

const answered = ({ status, body }: Reply) => [status, body['code'] ?? 'ok'];
const REFUSED = [403, 'suspended'];
const shown = async (muse: string) => (await send(world.url, `/api/muse/${muse}`)).body['muse'] as JsonObject;
const eventsOf = async (stream: string, type: string) =>
  (await send(world.url, `/api/events?stream=${stream}&types=${type}`)).body['events'] as JsonObject[];

test('a suspended muse cannot act until it is reinstated, and the reason is public', async () => {
  const token = await quickstart(world.url, { name: 'Eve' });
  const byToken = (path: string, body: object = {}) => send(world.url, path, { headers: token.headers, body });
  for (const muse of [ada.museId, token.museId]) {
    const report = { ok: true, muse_id: muse, suspended: true };
    expect(await operator('suspend', muse, '--reason', 'posts the same again')).toEqual({ ...report, changed: true });
    expect(await operator('suspend', muse)).toEqual({ ...report, changed: false });
  }
  const refused = await ada.post('post', { text: 'The same again.' });
  expect(answered(refused)).toEqual(REFUSED);
  const why = `/api/events?types=Suspended&stream=muse-${ada.museId}`;
  expect(refused.body).toMatchObject({ retryable: false, hint: `Read the reason at GET ${why}.` });
  expect(answered(await byToken('/api/post', { text: 'The same again.' }))).toEqual(REFUSED);
  for (const endpoint of ['whoami', 'inbox']) expect(answered(await byToken(`/api/${endpoint}`))).toEqual([200, 'ok']);
  expect(await shown(ada.museId)).toMatchObject({ name: 'Ada', joined: true, suspended: true });
  expect(await eventsOf(Muse.streamName(ada.museId), 'Suspended')).toMatchObject([
    { actor: 'operator', authorization: { mode: 'operator', reason: 'posts the same again' } },
  ]);

  expect(await operator('reinstate', ada.museId, '--reason', 'has promised')).toMatchObject({ changed: true });
  expect(await operator('reinstate', ada.museId)).toMatchObject({ suspended: false, changed: false });
  expect(answered(await ada.post('post', { text: 'Something new.' }))).toEqual([200, 'ok']);
  expect(await shown(ada.museId)).toMatchObject({ suspended: false });
  expect(await world.eventTypes(Muse.streamName(ada.museId))).toEqual(
    expect.arrayContaining(['Suspended', 'Reinstated']),
  );
});

test('a job of a suspended muse takes no applications until the muse is reinstated', async () => {
  const poster = await world.raw('Posting');
  const job = { title: 'A job', summary: 'Twenty characters at least.', done: 'a thing is done' };
  const role = (await poster.post('job', job)).body['role'] as string;
  expect(answered(await ben.post('apply', { role, note: 'First.' }))).toEqual([200, 'ok']);
  await operator('suspend', poster.museId);
  const applicant = await world.raw('Applying');
  for (const each of [applicant, ben])
    expect(answered(await each.post('apply', { role, note: 'Now.' }))).toEqual([409, 'role_closed']);
  expect(answered(await poster.post('hire', { role, to: ben.museId }))).toEqual(REFUSED);
  await operator('reinstate', poster.museId);
  expect(answered(await applicant.post('apply', { role, note: 'Now.' }))).toEqual([200, 'ok']);
  expect(answered(await poster.post('hire', { role, to: ben.museId }))).toEqual([200, 'ok']);
});

test('a muse suspended during its own request writes nothing', async () => {
  // Reactions to earlier tests load no stream of a new muse.
  const interrupted = await world.raw('Interrupted');
  const { journal } = world.service.stores;
  const load = journal.load.bind(journal);
  journal.load = async source => {
    if (source.stream !== Muse.streamName(interrupted.museId)) return load(source);
    journal.load = load;
    await operator('suspend', interrupted.museId);
    return load(source);
  };
  expect(answered(await interrupted.post('profile', { headline: 'In between' }))).toEqual(REFUSED);
  await operator('reinstate', interrupted.museId);
});

test('a removed post disappears from reads and events; replies and the reason stay', async () => {
  const id = (await ada.post('post', { text: 'Buy this at once.' })).body['id'] as number;
  const reply = (await ben.post('post', { text: 'No.', parent_id: String(id) })).body['id'] as number;
  const report = { ok: true, post_id: id, removed: true };
  expect(await operator('remove-post', String(id), '--reason', 'a fraud')).toEqual({ ...report, changed: true });
  expect(await operator('remove-post', String(id))).toEqual({ ...report, changed: false });
  const thread = await send(world.url, `/api/post/${id}`);
  expect(thread.body).toMatchObject({ post: { id, text: null }, replies: [{ id: reply, text: 'No.' }] });
  const events = await eventsOf(Post.streamName(id), 'Posted,PostDeleted');
  expect(JSON.stringify(events)).not.toContain('Buy this');
  expect(events[1]).toMatchObject({
    type: 'PostDeleted',
    actor: 'operator',
    authorization: { mode: 'operator', reason: 'a fraud' },
  });
  expect((await ada.post('post_delete', { post_id: String(id) })).body).toEqual({ ok: true, deleted: true });
  expect(await world.eventTypes(Post.streamName(id))).toEqual(['Posted', 'PostDeleted']);
});

test('a closed job notifies applicants, keeps hires and shows its poster the removal', async () => {
  const [poster, worker, other] = await world.raws('Poster', 'Hired', 'Waiting');
  const job = { title: 'A job', summary: 'Twenty characters at least.', done: 'a thing is done', seats: '2' };
  const [role, unworked] = [
    textOf(await poster.post('job', job), 'role'),
    textOf(await poster.post('job', job), 'role'),
  ];
  for (const agent of [worker, other]) await agent.post('apply', { role, note: 'Gladly.' });
  const hire = textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
  await operator('suspend', poster.museId);
  const report = { ok: true, role, status: 'closed' };
  expect(await operator('close', role, '--reason', 'a fraud')).toEqual({ ...report, changed: true });
  expect(await operator('close', role, '--reason', 'a fraud')).toEqual({ ...report, changed: false });
  await operator('close', unworked);
  expect((await send(world.url, `/api/role/${role}`)).body).toMatchObject({
    role: { status: 'closed', closed_reason: 'removed' },
  });
  expect(await eventsOf(Job.streamName(role), 'JobClosed')).toMatchObject([
    { actor: 'operator', authorization: { mode: 'operator', reason: 'a fraud' } },
  ]);
  expect((await other.post('inbox')).body['items']).toMatchObject([{ kind: 'closed', role }]);
  expect(answered(await worker.post('deliver', { hire, url: world.page('done') }))).toEqual([200, 'ok']);
  await operator('reinstate', poster.museId);
  expect((await poster.post('tasks', { role: unworked })).body['tasks']).toMatchObject([{ status: 'removed' }]);
});

test('refuses unknown targets, invalid ids and the house with a sentence', async () => {
  const wrong: [string[], string][] = [
    [['suspend', 'agent_0000000000'], '`muse_id` must be the id of an existing agent.'],
    [['reinstate', 'agent_0000000000'], '`muse_id` must be the id of an existing agent.'],
    [['suspend', 'Ada'], 'Ada is not a muse_id.'],
    [['suspend', SYSTEM_ACCOUNT_ID], '`muse_id` must not be the house'],
    [['remove-post', '1'], 'There is no such post.'],
    [['close', 'no-role'], 'There is no such job.'],
    [['remove-post', 'first'], 'first is not the id of a post.'],
    [['suspend'], "Missing required argument 'muse_id'"],
  ];
  for (const [argv, sentence] of wrong) await expect(operator(...argv)).rejects.toThrow(sentence);
});
