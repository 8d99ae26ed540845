import { beforeAll, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { append, EMPTY_EDGE, rootOf } from '#libs/platform/signing/merkle.js';
import type { AgentClient } from '#libs/client/index.js';
import { verifyNoble } from '#libs/platform/signing/noble-ed25519.js';
import { parseNote, parseCheckpoint } from '#libs/platform/signing/signed-note.js';
import { send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let poster: AgentClient;
let role: string;
beforeAll(async () => {
  [poster] = (await world.agents('feed poster')) as [AgentClient];
  const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' };
  role = (await poster.job(job)).role;
});

const events = async (query: string, headers: { [name: string]: string } = {}) =>
  (await fetch(`${world.url}/api/events${query}`, { headers })).json() as Promise<{
    events: { type: string; position: string; stream: string; decided_by: string }[];
    next: string;
    head: string;
  }>;

test('pages follow each other without a gap up to the head', async () => {
  const all = await events('?limit=1000');
  const paged: string[] = [];
  for (let after = ''; ;) {
    const page = await events(`?limit=2${after}`);
    paged.push(...page.events.map(({ position }) => position));
    if (page.events.length === 0) break;
    after = `&after=${page.next}`;
  }
  expect(paged).toEqual(all.events.map(({ position }) => position));
  expect(all.next).toBe(all.head);
});

test('refuses a position after the head, which belongs to another log', async () => {
  const { head } = await events('?limit=1');
  expect(await events(`?after=${head}`)).toMatchObject({ events: [], next: head, head });
  const behind = [
    String(BigInt(head) + 1n).padStart(head.length, '0'),
    '09223372036854775808',
    String(BigInt(head) + 2n ** 64n),
    '9'.repeat(20),
  ];
  for (const after of behind) {
    const refused = { status: 400, body: { code: 'after', field: 'after' } };
    for (const query of ['', '&wait=1', '&types=Joined', '&stream=muse-x', `&muse_id=${poster.museId}`])
      expect(await send(world.url, `/api/events?after=${after}${query}`)).toMatchObject(refused);
    for (const accept of ['application/x-ndjson', 'text/event-stream'])
      expect(await send(world.url, `/api/events?after=${after}`, { headers: { accept } })).toMatchObject(refused);
    const headers = { accept: 'text/event-stream', 'last-event-id': after };
    expect(await send(world.url, '/api/events', { headers })).toMatchObject(refused);
  }
});

test('filters events by type, stream, author and named muse', async () => {
  expect((await events('?types=JobPosted')).events.map(({ type }) => type)).toEqual(['JobPosted']);
  expect((await events(`?stream=job-${role}`)).events.map(({ type }) => type)).toEqual(['JobPosted']);
  const mine = await events(`?muse_id=${poster.museId}`);
  expect(mine.events.map(({ type }) => type)).toEqual(expect.arrayContaining(['Registered', 'Joined', 'JobPosted']));
  const [named] = (await world.agents('named in a text')) as [AgentClient];
  await named.profile({ skills: ['latin'] });
  await world.settle();
  const { id } = await poster.post({ text: `What would @${named.museId} say?` });
  const delegated = await poster.delegate({ task: 'Say what you would say to that.', skills: ['latin'] });
  const types = (await events(`?muse_id=${named.museId}`)).events.map(({ type, stream }) => [type, stream]);
  expect(types).toContainEqual(['Posted', `post-${id}`]);
  expect(types).toContainEqual(['JobOffered', `job-${delegated.role}`]);
  const none = await events('?muse_id=agent_0000000000');
  expect(none).toMatchObject({ events: [], next: none.head });
  expect(await events('?types=Nonsense')).toMatchObject({ code: 'types' });
  expect(await events('?after=1')).toMatchObject({ code: 'after' });
});

test('a filter returns matching events only, and a waiting reader gets only those', async () => {
  const [other] = (await world.agents('somebody else')) as [AgentClient];
  const { head } = await events('');
  const waiting = ['types=ConnectionRequested', `muse_id=${poster.museId}`, `stream=muse-${poster.museId}`].map(
    filter => events(`?after=${head}&wait=20&${filter}`),
  );
  await other.profile({ bio: 'Of no concern.' });
  await other.connect({ to: poster.museId });
  const [typed, named] = await Promise.all(waiting.slice(0, 2));
  await poster.profile({ bio: 'Of concern.' });
  const own = await waiting[2];
  const [request] = (await events('?types=ConnectionRequested')).events;
  expect([typed!.events, named!.events]).toEqual([[request], [request]]);
  expect(own!.events).toMatchObject([{ type: 'ProfileUpdated', stream: `muse-${poster.museId}` }]);
  for (const { events: shown, next, head: newest } of [typed!, named!, own!])
    expect([next >= shown.at(-1)!.position, newest >= next]).toEqual([true, true]);
});

test('every event names its decision, endpoint and authorization', async () => {
  const { events: posted } = await events('?types=JobPosted');
  expect(posted[0]).toMatchObject({ decided_by: 'job@1', authorization: { endpoint: 'job' } });
  const { body } = await send(world.url, '/api/quickstart', { body: { kind: 'x' } });
  const headers = { authorization: `Bearer ${body['token'] as string}` };
  const sent = { bio: 'Of a bearer.', never_heard_of: 'kept nowhere' };
  await send(world.url, '/api/profile', { headers, body: sent });
  const agent = await world.raw('signing');
  await agent.post('profile', sent);
  const shown = (await events('?types=ProfileUpdated')).events.filter(event => event.decided_by.startsWith('profile@'));
  const of = (fields: object) => ({ value: expect.objectContaining({ fields }) });
  expect(shown.slice(-2)).toMatchObject([
    { authorization: { mode: 'bearer', endpoint: 'profile', sealed: of({ bio: sent.bio }) } },
    { authorization: { mode: 'signature', endpoint: 'profile', sealed: of(sent) } },
  ]);
});

test('NDJSON returns the whole log and ends with its head', async () => {
  const answer = await fetch(`${world.url}/api/events`, { headers: { accept: 'application/x-ndjson' } });
  expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
  expect(answer.headers.get('vary')).toContain('accept');
  const lines = (await answer.text())
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  const { events: paged, head } = await events('?limit=1000');
  expect(lines.at(-1)).toEqual({ head });
  expect(lines.slice(0, -1)).toEqual(paged);
});

test('a live tail resumes after the last event that was seen', async () => {
  const { events: before } = await events('?limit=1000');
  const resumed = before.at(-3)!.position;
  const aborting = new AbortController();
  const headers = { accept: 'text/event-stream', 'last-event-id': resumed };
  const answer = await fetch(`${world.url}/api/events`, { headers, signal: aborting.signal });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  await poster.profile({ bio: 'Seen live.' });
  let text = '';
  const seen = () => [...text.matchAll(/^id: (.*)\n.*\n.*\n\n/gm)].map(([, id]) => id);
  while (seen().length < 3) text += (await reader.read()).value ?? '';
  aborting.abort();
  const ids = seen();
  const after = await events(`?after=${resumed}&limit=1000`);
  expect(after.events.map(({ position }) => position).slice(0, ids.length)).toEqual(ids);
  expect(ids.length).toBeGreaterThanOrEqual(3);
});

test('a checkpoint signs the number of events and their root hash', async () => {
  await world.settle();
  const note = parseNote(await (await fetch(`${world.url}/api/events/checkpoint`)).text())!;
  const { public_key } = await world.reader().issuer();
  expect(note.isSignedBy(public_key)).toBe(true);
  expect(verifyNoble(public_key, Buffer.from(note.text), note.signature)).toBe(true);
  const { origin, size, root } = parseCheckpoint(note.text)!;
  const { events: all } = (await (await fetch(`${world.url}/api/events?limit=1000`)).json()) as {
    events: { digest: string }[];
  };
  expect(origin).toBe(world.url.replace('http://', ''));
  expect(
    rootOf(
      all
        .slice(0, size)
        .map(({ digest }) => digest)
        .reduce(append, EMPTY_EDGE),
    ),
  ).toBe(root);
  expect(size).toBe(all.length);
});

test('every event type has a schema that its events match', async () => {
  const schema = (await (await fetch(`${world.url}/api/events/schema`)).json()) as { events: { type: string }[] };
  const shown = (await events('?limit=1000')).events;
  const types = new Set(shown.map(({ type }) => type));
  expect(schema.events.map(({ type }) => type)).toEqual(expect.arrayContaining([...types]));
  const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  for (const event of shown) expect([event.type, isValid(event), isValid.errors]).toEqual([event.type, true, null]);
  const [posted] = (await events('?types=JobPosted')).events as unknown as { data: object }[];
  expect(isValid({ ...posted, data: { ...posted!.data, title: 'in clear' } })).toBe(false);
  expect(isValid({ ...posted, type: 'JobForgotten' })).toBe(false);
});
