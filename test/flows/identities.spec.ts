import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { newIdempotencyKey, RawAgent, type Reply, send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();

const start = (fields: object, headers = {}) => send(world.url, '/api/quickstart', { body: fields, headers });
const muse = async ({ body }: Reply) => (await send(world.url, body['profile'] as string)).body['muse'] as JsonObject;
const adjusted = ({ body }: Reply) => body['adjusted'] as JsonObject | undefined;
const newAgent = () => new RawAgent(world.url, () => world.now());

describe('a quickstart', () => {
  test('registers, joins and returns a token that works', async () => {
    const started = await start({ name: 'Ada  of London ', headline: 'Translates', skills: 'French, german,french' });
    expect(started.body).toMatchObject({
      ok: true,
      muse_id: expect.stringMatching(/^agent_[a-z0-9]{10}$/),
      token: expect.stringMatching(/^service_tok_[A-Za-z0-9_-]{43}$/),
    });
    expect(started.body['profile']).toBe(`/api/muse/${started.body['muse_id'] as string}`);
    expect(await muse(started)).toMatchObject({ name: 'Ada of London', joined: true, skills: ['french', 'german'] });
    const headers = { authorization: `Bearer ${started.body['token'] as string}` };
    const whoami = await send(world.url, '/api/whoami', { body: {}, headers });
    expect(whoami.body).toMatchObject({ auth: 'bearer', name: 'Ada of London', joined: true, identity: 'local' });
  });

  test('suggests next steps, matching open roles first', async () => {
    const poster = await world.raw('poster of next');
    const job = {
      title: 'Weave a terms',
      summary: 'Twenty characters at least.',
      done: 'a terms is there',
      skills: 'weaving',
      trial: 'Which loom do you use?',
    };
    const { body, headers } = await poster.post('job', job);
    const seen = { 'min-position': headers.get('event-position')! };
    const { body: started } = await start({ kind: 'weaver', skills: 'weaving' }, seen);
    const next = started['next'] as JsonObject[];
    expect(next.map(step => step['do'])).toEqual(['apply', 'profile', 'verify', 'inbox']);
    expect(next[0]).toMatchObject({ do: 'apply', role: body['role'], title: job.title, endpoint: '/api/apply' });
    expect(next[0]).toMatchObject({ trial: job.trial, body: { role: body['role'], trial_answer: '' } });
    expect(next[3]).toMatchObject({ endpoint: '/api/inbox', why: expect.any(String) });
  });
});

describe('a new key', () => {
  test('is registered once', async () => {
    const agent = newAgent();
    const fields = { name: 'Keyed', headline: 'Signs for itself', about: 'At length.' };
    const first = await agent.post('register', fields);
    expect(first.body).toEqual({
      ok: true,
      muse_id: expect.stringMatching(/^agent_[a-z0-9]{10}$/),
      created: true,
      profile: `/api/muse/${first.body['muse_id'] as string}`,
    });
    const again = await agent.post('register', { name: 'Keyed again', headline: 'Signs again' });
    expect(again).toMatchObject({ status: 200, body: { muse_id: first.body['muse_id'], created: false } });
    expect(adjusted(again)).toEqual({ name: 'Keyed', headline: 'Signs for itself' });
    expect((await agent.post('register', { name: 'Keyed', headline: 'Signs' })).body['adjusted']).toEqual({
      headline: 'Signs for itself',
    });
    expect(await muse(again)).toMatchObject({ name: 'Keyed', about: 'At length.', joined: false });
    const key = { 'idempotency-key': newIdempotencyKey() };
    expect((await agent.post('register', fields, key)).body['created']).toBe(false);
  });

  test('may send its own muse_id but no other', async () => {
    const agent = newAgent();
    const body = agent.signed('register', { name: 'Named by key', headline: 'h' });
    const wrong = { status: 400, body: { code: 'muse_id' } };
    expect(await agent.resend('register', { ...body, muse_id: 'agent_0123456789' })).toMatchObject(wrong);
    expect(await agent.resend('register', { ...body, muse_id: agent.publicKey })).toMatchObject({ status: 200 });
  });

  test('is refused if it is weak or malformed', async () => {
    const refused = { status: 400, body: { code: 'public_key', field: 'public_key' } };
    const small = ['AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'];
    for (const public_key of [...small, 'short', 'a'.repeat(44)])
      expect(await newAgent().post('register', { name: 'Weak', headline: 'h', public_key })).toMatchObject(refused);
  });

  test('cannot sign for another key', async () => {
    const body = newAgent().signed('register', { name: 'Other', headline: 'h' });
    const refused = await newAgent().resend('register', { ...body, public_key: newAgent().publicKey });
    expect(refused).toMatchObject({ status: 401, body: { code: 'signature_mismatch' } });
  });
});

describe('joining', () => {
  test('needs a headline the first time and returns its adjustments', async () => {
    const agent = newAgent();
    await agent.register('Joining');
    const whoami = await agent.post('whoami');
    expect(whoami).toMatchObject({ body: { auth: 'signature', joined: false, verified: false } });
    expect(whoami.body['next']).toEqual([expect.objectContaining({ do: 'join', endpoint: '/api/join' })]);
    expect(await agent.post('join', { about: 'x' })).toMatchObject({ status: 400, body: { code: 'headline' } });
    const payout_address = agent.wallet.address;
    const joined = await agent.post('join', { headline: 'Joined', payout_address });
    expect(joined.body).toMatchObject({ ok: true, first: true, payout_address });
    expect(await agent.post('join', { skills: 'french' })).toMatchObject({ body: { first: false, payout_address } });
    const profile = (await send(world.url, `/api/muse/${agent.museId}`)).body;
    expect(profile['muse']).toMatchObject({
      joined: true,
      headline: 'Joined',
      skills: ['french'],
      has_payout_address: true,
    });
    expect(JSON.stringify(profile)).not.toContain(payout_address);
    expect(await agent.post('join', { payout_address: '' })).toMatchObject({ body: { payout_address: null } });
    expect(await agent.post('join', { skills: 'x' })).toMatchObject({ status: 400, body: { code: 'skills' } });
    expect(await agent.post('join', { lightning_address: 'nobody' })).toMatchObject({ status: 400 });
  });

  test('happens once when it is requested several times together', async () => {
    const agent = newAgent();
    await agent.register('Joining at once');
    const replies = await Promise.all([1, 2, 3, 4].map(n => agent.post('join', { headline: `Headline ${n}` })));
    expect(replies.filter(({ body }) => body['first'] === true)).toHaveLength(1);
    const joined = (await world.eventTypes(`muse-${agent.museId}`)).filter(type => type === 'Joined');
    expect(joined).toHaveLength(1);
  });
});
