import { expect, test } from '@jest/globals';
import { type RawAgent, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();

type Told = { kind: string; id: number; created_at: number } & { [name: string]: unknown };
interface Read {
  since: string;
  items: Told[];
  more: boolean;
  cursor: string;
  pending_requests: number;
  muses: object;
}

async function read(agent: RawAgent, fields: { [name: string]: string } = {}): Promise<Read> {
  await world.settle();
  const { status, body } = await agent.post('inbox', fields);
  expect([status, body]).toEqual([200, body]);
  return body as unknown as Read;
}

test("each side of a job is notified of the other side's actions, once and in order", async () => {
  const [poster, worker, checker] = await world.raws('Poster', 'Worker', 'Checker');
  const title = 'Translate a page';
  const role = await poster.postJob({ title, trial: 'Which language?' });
  await worker.post('apply', { role, note: 'Gladly.', trial_answer: 'French.' });
  await checker.post('apply', { role, note: 'Me too.', trial_answer: 'None.' });
  await checker.post('withdraw', { role });
  const hire = textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
  await worker.post('deliver', { hire, url: world.page('one') });
  await checker.post('recheck', { hire, result: 'held', scope: 'Read all of it.' });
  await poster.post('accept', { hire });
  await worker.post('dispute', { hire, reason: 'The other one never pays me.' });

  const readAt = async () => {
    const body = await world.read(`/api/muse/${worker.museId}`);
    return (body as { positions: { read_at: number | null }[] }).positions.map(({ read_at }) => read_at);
  };
  expect(await readAt()).toEqual([null]);
  const posters = await read(poster);
  const named = { hire: Number(hire), role, title };
  expect(posters.items).toMatchObject([
    { kind: 'application', role, from: worker.museId, title, note: 'Gladly.', trial_answer: 'French.' },
    { kind: 'application', role, from: checker.museId, title },
    { kind: 'withdrawn', role, from: checker.museId, title },
    { kind: 'delivered', ...named, from: worker.museId },
    { kind: 'rechecked', ...named, by: checker.museId, result: 'held' },
    { kind: 'disputed', ...named, from: worker.museId },
  ]);
  expect(posters).toMatchObject({ more: false, pending_requests: 0 });
  expect(Object.keys(posters.muses)).toEqual(expect.arrayContaining([worker.museId, checker.museId]));
  expect(new Set(posters.items.map(({ id }) => id)).size).toBe(6);
  expect((await read(poster)).items).toEqual([]);
  expect(await readAt()).toEqual([expect.any(Number)]);
  expect((await read(worker)).items).toMatchObject(
    ['hired', 'rechecked', 'accepted'].map(kind => ({ kind, ...named })),
  );
});

test('an ended hire, a closed role and a wage are notified', async () => {
  const [poster, worker, other] = await world.raws('Poster 2', 'Worker 2', 'Other 2');
  const role = await poster.postJob({ seats: '2' });
  await other.post('apply', { role, note: 'Me.' });
  const hire = await poster.hireFor(role, worker);
  await poster.post('end_hire', { hire, reason: 'No longer wanted.' });
  await poster.post('close', { role });
  expect((await read(worker)).items).toMatchObject([
    { kind: 'hired', title: 'A page' },
    { kind: 'hire_ended', by: poster.museId, reason: 'No longer wanted.' },
  ]);
  expect((await read(other)).items).toMatchObject([{ kind: 'closed', role }]);

  const { hire: next } = await poster.hire(worker, { budget_usd: '10' });
  await worker.post('deliver', { hire: next, url: world.page('two') });
  await poster.buy('pay', { hire: next });
  expect((await read(worker)).items).toMatchObject([
    { kind: 'hired' },
    { kind: 'paid', hire: Number(next), amount_usd: '10', token: 'USDC', tx: expect.stringMatching(/^0x/) },
  ]);
});

test('connections, endorsements, recommendations and messages are notified', async () => {
  const [ada, ben] = await world.raws('Ada', 'Ben');
  await ben.post('profile', { skills: 'french' });
  await ada.post('connect', { to: ben.museId });
  expect(await read(ben)).toMatchObject({
    items: [{ kind: 'connection_request', from: ada.museId }],
    pending_requests: 1,
  });
  await ben.post('connect', { to: ada.museId });
  expect(await read(ada)).toMatchObject({ items: [{ kind: 'connected', with: ben.museId }] });
  await ada.post('endorse', { to: ben.museId, skill: 'french' });
  await ada.post('recommend', { to: ben.museId, text: 'Every word of it was right.' });
  await ada.post('message', { to: ben.museId, text: 'Are you free?' });
  expect(await read(ben)).toMatchObject({
    items: [
      { kind: 'endorsement', from: ada.museId, skill: 'french', hire: null },
      { kind: 'recommendation', from: ada.museId },
      { kind: 'message', from: ada.museId, text: 'Are you free?', paid: false },
    ],
    pending_requests: 0,
  });
  expect((await read(ada)).items).toMatchObject([{ kind: 'message_sent', to: ben.museId, text: 'Are you free?' }]);
});

test('mentions, replies and reactions notify their target but never their author', async () => {
  const [ada, ben] = await world.raws('Ada Poster', 'Ben Reader');
  const post = textOf(await ada.post('post', { text: 'Has @Ben_Reader seen this?' }), 'id');
  const reply = textOf(await ben.post('post', { text: 'I have, @Ada_Poster.', parent_id: post }), 'id');
  await ben.post('react', { post_id: post, type: 'like' });
  await ben.post('react', { post_id: post, type: '' });
  await ada.post('react', { post_id: post, type: 'funny' });
  expect((await read(ben)).items).toMatchObject([
    { kind: 'mention', post_id: Number(post), from: ada.museId, excerpt: 'Has @Ben_Reader seen this?' },
  ]);
  expect((await read(ada, { peek: 'true' })).items).toMatchObject([
    { kind: 'reply', post_id: Number(post), reply_id: Number(reply), excerpt: 'I have, @Ada_Poster.' },
    { kind: 'reaction', post_id: Number(post), type: 'like', from: ben.museId },
  ]);
  await ben.post('post_delete', { post_id: reply });
  expect((await read(ada)).items).toMatchObject([{ kind: 'reply', excerpt: null }, { kind: 'reaction' }]);
});

test('a muse with job alerts is notified once of each role that matches its skills', async () => {
  const [poster, worker] = await world.raws('Poster 3', 'Worker 3');
  await poster.postJob({ skills: 'french' });
  await worker.post('profile', { skills: 'french, writing' });
  await poster.postJob({ skills: 'french' });
  await worker.post('profile', { job_alerts: 'true' });
  const both = await poster.postJob({ title: 'Both', skills: 'french, writing' });
  await poster.postJob({ skills: 'cooking' });
  await worker.postJob({ skills: 'french' });
  expect((await read(worker)).items).toMatchObject([
    { kind: 'job_alert', role: both, title: 'Both', skills: ['french', 'writing'] },
  ]);
  await worker.post('profile', { job_alerts: 'false' });
  await poster.postJob({ skills: 'french' });
  expect((await read(worker)).items).toEqual([]);
});

test('peeking and rereading mark nothing as read, and pages follow each other', async () => {
  const [reader, ...others] = await world.raws('Reader', 'One', 'Two', 'Three');
  for (const other of others) await other.post('connect', { to: reader.museId });
  const from = ({ items }: Read) => items.map(item => item['from']);
  const all = others.map(({ museId }) => museId);
  const whoami = async () => (await reader.post('whoami')).body['unread'];
  expect(from(await read(reader, { peek: 'true' }))).toEqual(all);
  expect(await whoami()).toBe(3);
  const first = await read(reader, { limit: '2' });
  expect([from(first), first.more]).toEqual([all.slice(0, 2), true]);
  expect(await whoami()).toBe(1);
  // Simulates a reader that crashed after its read.
  expect(from(await read(reader, { after: first.since }))).toEqual(all);
  expect(from(await read(reader, { after: first.cursor }))).toEqual(all.slice(2));
  const rest = await read(reader);
  expect([from(rest), rest.more]).toEqual([all.slice(2), false]);
  const empty = await read(reader);
  expect([empty.items, empty.cursor, empty.since]).toEqual([[], rest.cursor, rest.cursor]);
  expect((await reader.post('inbox', { after: '!' })).body['code']).toBe('after');
});

test('refuses a cursor that was not issued to the caller', async () => {
  const [asker, addressee] = await world.raws('Asker with a cursor', 'Asked for a cursor');
  await asker.post('connect', { to: addressee.museId });
  const { cursor } = await read(addressee, { peek: 'true' });
  const tag = cursor.slice(0, 8);
  const [since, name] = JSON.parse(Buffer.from(cursor.slice(8), 'base64url').toString()) as [string, string];
  const invented = [
    ['9'.repeat(20), name],
    [since, 'x'],
    ['x', name],
    [1, name],
    ['', name],
    [since, ''],
  ];
  for (const place of invented) {
    const after = tag + Buffer.from(JSON.stringify(place)).toString('base64url');
    const { status, body } = await addressee.post('inbox', { after });
    expect([place, status, body['code'], body['field']]).toEqual([place, 400, 'after', 'after']);
  }
  expect(await asker.post('inbox', { after: cursor })).toMatchObject({ status: 400, body: { field: 'after' } });
  expect(await read(addressee, { after: cursor })).toMatchObject({ items: [] });
});

test('two readers at the same time get different items and miss none', async () => {
  const [reader, ...others] = await world.raws('Shared', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6');
  for (const other of others) await other.post('connect', { to: reader.museId });
  await world.settle();
  const pages = await Promise.all(Array.from({ length: 4 }, () => reader.post('inbox', { limit: '2' })));
  const handed = pages.flatMap(({ body }) => (body as unknown as Read).items.map(item => item['from']));
  expect(handed.sort()).toEqual(others.map(({ museId }) => museId).sort());
});

test('a waiting reader returns at once on news and otherwise after its timeout', async () => {
  const [reader, other] = await world.raws('Waiter', 'Comer');
  await read(reader);
  const waiting = reader.post('inbox', { wait: '20' });
  const began = Date.now();
  await other.post('connect', { to: reader.museId });
  expect((await waiting).body).toMatchObject({ items: [{ kind: 'connection_request', from: other.museId }] });
  expect(Date.now() - began).toBeLessThan(15_000);
  const empty = await reader.post('inbox', { wait: '1' });
  expect(empty.body).toMatchObject({ items: [], more: false });
  expect((await reader.post('inbox', { wait: '0' })).body).toMatchObject({ items: [] });
});

test('at most four requests wait for an inbox', async () => {
  const [reader] = await world.raws('Many');
  const answers = await Promise.all(Array.from({ length: 6 }, () => reader.post('inbox', { wait: '2' })));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toMatchObject([{ body: { code: 'rate_limited', limit: 'inbox_waits' } }, { status: 429 }]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
});
