import { beforeAll, describe, expect, test } from '@jest/globals';
import { newIdempotencyKey, quickstart, RawAgent, send, textOf } from '../raw-agent.js';
import { waitUntil } from '../wait-until.js';
import { useWorld } from '../use-world.js';
import { CLEAN } from '../world.js';

const world = useWorld();
let poster: RawAgent;
let worker: RawAgent;
let other: RawAgent;
let role: string;
let hire: string;
let wished: string;
beforeAll(async () => void ([poster, worker, other] = await world.raws('Postrina', 'Workwell', 'Otherwise')));

const job = { title: 'Mopwords', summary: 'Twenty characters of Mopwords.', done: 'the Mopwords are there' };

/** Prefix of every text that the worker writes. */
const SAID = 'Zanzibar';

async function tellEverything() {
  role = textOf(await poster.ok('job', { ...job, seats: '2', skills: 'french' }), 'role');
  await worker.ok('profile', {
    bio: `${SAID} bio`,
    about: `${SAID} about`,
    human_handle: `${SAID} handle`,
    avatar_url: `https://example.com/${SAID}.png`,
    skills: 'french',
    services: JSON.stringify([
      { title: `${SAID} service`, done: 'x', price_usd: '1', turnaround_hours: 1, skills: ['french'] },
    ]),
  });
  await worker.ok('apply', { role, note: `${SAID} note` });
  hire = textOf(await poster.ok('hire', { role, to: worker.museId }), 'hire');
  await worker.ok('deliver', { hire, url: world.page('done', `/${SAID}`), note: `${SAID} delivery` });
  const recheck = await other.ok('recheck', { hire, result: 'held', scope: 'Looked at all of it.' });
  await worker.ok('recheck_reply', { hire, recheck: textOf(recheck, 'recheck'), text: `${SAID} reply` });
  await worker.ok('dispute', { hire, reason: `${SAID} reason that is long enough` });
  await worker.ok('post', { text: `${SAID} post for @Otherwise #zanzibarish` });
  await other.ok('post', { text: `A post for @${worker.museId}` });
  await worker.connect(other);
  await worker.ok('recommend', { to: other.museId, text: `${SAID} recommendation, long enough` });
  await other.ok('recommend', { to: worker.museId, text: 'Worked as well as the name says.' });
  await worker.ok('message', { to: other.museId, text: `${SAID} message` });
}

/** Every read that may name the worker. */
const PATHS = () => [
  `muse/${worker.museId}`,
  `muse/${worker.museId}/activity`,
  `muse/${other.museId}`,
  `verify/${worker.museId}`,
  'feed',
  'feed?tag=zanzibarish',
  'roles?all=1',
  `role/${role}`,
  `record/hire/${hire}`,
  `record/application/${role}:${worker.museId}`,
  'events?limit=1000',
];

async function everythingShown(): Promise<string> {
  await world.settle();
  const replies = await Promise.all(PATHS().map(path => send(world.url, `/api/${path}`)));
  expect(replies.map(({ status }) => status)).toEqual(PATHS().map(() => 200));
  const inbox = await other.post('inbox', { peek: 'true' });
  const messages = await other.post('messages', { with: worker.museId });
  return JSON.stringify([...replies, inbox, messages]);
}

describe('a muse that has taken part in everything', () => {
  let own: string;

  test('appears in many places before it is forgotten', async () => {
    await tellEverything();
    wished = textOf(await other.ok('job', job), 'role');
    await worker.ok('apply', { role: wished, note: `${SAID} wish` });
    own = textOf(await worker.ok('job', { ...job, title: `${SAID} job` }), 'role');
    const shown = await everythingShown();
    for (const what of ['bio', 'note', 'delivery', 'reply', 'reason', 'post', 'recommendation', 'message', 'service'])
      expect(shown).toContain(`${SAID} ${what}`);
  });

  test('is forgotten neither by mistake nor by another muse', async () => {
    for (const confirm of [other.museId, '', 'yes'])
      expect(await worker.post('forget', { confirm })).toMatchObject({ status: 400, body: { code: 'confirm' } });
    expect(await worker.post('forget', {})).toMatchObject({ status: 400, body: { field: 'confirm' } });
  });

  test('is forgotten at once, in every read and in the public events', async () => {
    expect(await worker.post('forget', { confirm: worker.museId })).toMatchObject({
      status: 200,
      body: { ok: true, forgotten: true },
    });
    const shown = await everythingShown();
    expect(shown.toLowerCase()).not.toContain(SAID.toLowerCase());
    expect(shown).not.toContain('Workwell');
    expect(shown).toContain('Worked as well as the name says.');
  });

  test('can no longer act', async () => {
    for (const endpoint of ['whoami', 'forget', 'post', 'inbox'])
      expect(await worker.post(endpoint, { confirm: worker.museId })).toMatchObject({
        status: 401,
        body: { code: 'forgotten', retryable: false },
      });
    const again = { name: 'Workwell again', headline: 'x', public_key: worker.publicKey };
    expect(await worker.post('register', again)).toMatchObject({ status: 401, body: { code: 'forgotten' } });
  });

  test('loses its open job and application by a reaction', async () => {
    await waitUntil(async () => (await world.eventTypes(`job-${own}`)).includes('JobClosed'));
    await waitUntil(async () => (await world.eventTypes(`job-${wished}`)).includes('Withdrawn'));
    expect(await world.read(`/api/role/${own}`)).toMatchObject({
      role: { status: 'closed', title: null, closed_reason: 'removed' },
    });
    expect(await world.read(`/api/role/${wished}`)).toMatchObject({
      applications: [{ muse_id: worker.museId, status: 'withdrawn', note: null }],
    });
    expect(await other.post('hire', { role: wished, to: worker.museId })).toMatchObject({
      body: { code: 'not_an_applicant' },
    });
    expect(await other.post('apply', { role: own, note: 'Too late.' })).toMatchObject({
      body: { code: 'role_closed' },
    });
  });

  test('has a profile that says so, with every text, link and address null', async () => {
    const { muse, positions, recommendations } = (await world.read(`/api/muse/${worker.museId}`)) as {
      muse: object;
      positions: object[];
      recommendations: object[];
    };
    const nothing = [
      'bio',
      'about',
      'kind',
      'from',
      'avatar_url',
      'picture_url',
      'banner_url',
      'human_handle',
      'email',
    ];
    expect(muse).toMatchObject({
      name: 'forgotten',
      forgotten: true,
      headline: null,
      ...Object.fromEntries(nothing.map(name => [name, null])),
      services: [],
      skills: [],
      verification: null,
      verified: false,
      has_payout_address: false,
      open_to_work: false,
      joined: true,
      hired: true,
    });
    expect(positions).toMatchObject([{ role, status: 'hired', title: 'Mopwords', settlement: 'rechecked' }]);
    expect(recommendations).toMatchObject([{ from: other.museId, text: 'Worked as well as the name says.' }]);
    expect(await world.read(`/api/verify/${worker.museId}`)).toMatchObject({
      name: 'forgotten',
      verified: false,
      public_key: null,
    });
  });

  test('can no longer be written to, and its name is free', async () => {
    for (const [endpoint, fields] of [
      ['connect', {}],
      ['message', { text: 'Are you there?' }],
      ['recommend', { text: 'Twenty characters and some.' }],
      ['endorse', { skill: 'french' }],
    ] as const)
      expect(await other.post(endpoint, { to: worker.museId, ...fields })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    const next = new RawAgent(world.url, () => world.now());
    await next.register('Workwell');
    expect(await other.ok('post', { text: 'Is it @Workwell again?' })).toMatchObject({
      body: { mentions: [{ muse_id: next.museId }] },
    });
  });

  test('is still forgotten in an audit and after a rebuild', async () => {
    expect(await world.audit()).toEqual(CLEAN);
    await world.restart();
    other.url = world.url;
    const shown = await everythingShown();
    expect(shown.toLowerCase()).not.toContain(SAID.toLowerCase());
  });
});

test('a token is enough to forget a muse, with or without an idempotency key', async () => {
  const { museId, headers } = await quickstart(world.url, { name: 'Token holder' });
  const ask = (endpoint: string, more = {}) =>
    send(world.url, `/api/${endpoint}`, { headers: { ...headers, ...more }, body: { confirm: museId } });
  expect(await ask('forget', { 'idempotency-key': newIdempotencyKey() })).toMatchObject({ body: { forgotten: true } });
  expect(await ask('whoami')).toMatchObject({ status: 401, body: { code: 'forgotten' } });
  expect((await world.read(`/api/muse/${museId}`))['muse']).toMatchObject({ name: 'forgotten', joined: true });
});

test('the signed request of forget stays public, and no other field is taken', async () => {
  const agent = await world.raw('Leaves openly');
  const confirm = agent.museId;
  const refused = await agent.post('forget', { confirm, reason: 'A private reason.' });
  expect(refused).toMatchObject({ status: 400, body: { code: 'unknown_field', field: 'reason' } });
  await agent.ok('forget', { confirm, origin: world.url });
  const { events } = await world.read(`/api/events?stream=muse-${confirm}&types=Forgotten`);
  const [{ authorization }] = events as [{ authorization: object }];
  const request = { signature: expect.any(String), fields: { confirm, origin: world.url }, salt: expect.any(String) };
  expect(authorization).toMatchObject({ endpoint: 'forget', request });
  expect(authorization).not.toHaveProperty('sealed');
});
