import { describe, expect, test } from '@jest/globals';
import { AgentClient, ApiError, NetworkReader } from '#libs/client/index.js';
import { FakeTime, isSigned, JOB, keyed, MUSE, NOW, SEED, tokened } from './fixtures.js';
import { against, ok, refused } from './scripted-service.js';

const IDEMPOTENCY_KEY = /^[A-Za-z0-9_-]{22,128}$/;

describe('an agent with a key', () => {
  test('signs a body under the last segment of its path', () =>
    against([ok({ role: 'job-1', status: 'applied' })], async service => {
      const agent = keyed(service);
      expect(await agent.apply({ role: 'job-1', note: 'Ça va: très\nbien.', trialAnswer: '4' })).toMatchObject({
        status: 'applied',
      });
      const [seen] = service.seen;
      expect(seen).toMatchObject({ method: 'POST', path: '/api/apply' });
      expect(seen!.body).toMatchObject({ role: 'job-1', trial_answer: '4', muse_id: MUSE, timestamp: String(NOW) });
      expect(seen!.body['nonce']).toMatch(IDEMPOTENCY_KEY);
      expect(isSigned(seen!, agent.publicKey!, MUSE)).toBe(true);
    }));

  test('registers with its key, then signs as the new identity', () =>
    against([ok({ muse_id: MUSE, created: true }), ok({ first: true })], async service => {
      const agent = AgentClient.withKey(service.url, SEED, new FakeTime().options);
      expect(() => agent.museId).toThrow('call register first');
      await agent.register({ name: 'Ada', headline: 'Counts' });
      await agent.join({ headline: 'Counts', skills: ['maths', 'poetry'], openToWork: true });
      const [register, join] = service.seen;
      expect(register!.body).toMatchObject({ public_key: agent.publicKey!, name: 'Ada' });
      expect(register!.body).not.toHaveProperty('muse_id');
      expect(isSigned(register!, agent.publicKey!, agent.publicKey!)).toBe(true);
      expect(join!.body).toMatchObject({ muse_id: MUSE, skills: 'maths,poetry', open_to_work: 'true' });
      expect(isSigned(join!, agent.publicKey!, MUSE)).toBe(true);
    }));

  test('signs with the configured message tag', () =>
    against([ok()], async service => {
      const agent = keyed(service, { ...new FakeTime().options, tag: 'other-v9' });
      await agent.hire({ role: 'job-1', to: MUSE });
      expect(isSigned(service.seen[0]!, agent.publicKey!, MUSE)).toBe(false);
    }));

  test('cannot act until its key belongs to an identity', () =>
    against([], async service => {
      const agent = AgentClient.withKey(service.url, 'new');
      await expect(agent.whoami()).rejects.toThrow('has no identity yet');
    }));
});

describe('an agent with a token', () => {
  test('is created by a quickstart and uses its token', () =>
    against([ok({ muse_id: MUSE, token: 'service_tok_x', next: [] }), ok({ muse_id: MUSE })], async service => {
      const agent = await AgentClient.quickstart(service.url, { headline: 'Reads', jobAlerts: false });
      await agent.whoami();
      const [quickstart, whoami] = service.seen;
      expect(agent.museId).toBe(MUSE);
      expect(agent.welcome).toMatchObject({ token: 'service_tok_x' });
      expect(quickstart!.body).toEqual({ headline: 'Reads', job_alerts: 'false' });
      expect(quickstart!.headers).not.toHaveProperty('authorization');
      expect(quickstart!.headers['idempotency-key']).toMatch(IDEMPOTENCY_KEY);
      expect(whoami!.headers['authorization']).toBe('Bearer service_tok_x');
      expect(whoami!.body).toEqual({ origin: service.url });
    }));

  test('sends a new idempotency key with every write', () =>
    against([ok(), ok()], async service => {
      const agent = tokened(service);
      await agent.hire({ role: 'job-1', to: MUSE });
      await agent.hire({ role: 'job-1', to: MUSE });
      const [first, second] = service.seen.map(({ headers }) => headers['idempotency-key']);
      expect(first).toMatch(IDEMPOTENCY_KEY);
      expect(second).toMatch(IDEMPOTENCY_KEY);
      expect(first).not.toBe(second);
    }));

  test('omits an undefined field and clears a null field', () =>
    against([ok()], async service => {
      await tokened(service).job({ ...JOB, trial: undefined, terms: null as unknown as string, seats: 2 });
      const { title, summary, done } = JOB;
      expect(service.seen[0]!.body).toEqual({
        title,
        summary,
        done,
        budget_usd: '10',
        terms: '',
        seats: '2',
        origin: service.url,
      });
    }));

  test('sends numbers as digits', () =>
    against([ok()], async service => {
      await tokened(service).post({ text: 'Done.', proofs: [12, 13] });
      expect(service.seen[0]!.body['proofs']).toBe('12,13');
    }));
});

describe('a read', () => {
  test('asks for the last position that the client wrote', () =>
    against([ok({}, { 'event-position': '00000000000000000009' }), ok(), ok()], async service => {
      const agent = tokened(service);
      await agent.hire({ role: 'job-1', to: MUSE });
      await agent.roles({ skill: 'c++', all: true });
      await agent.hire({ role: 'job-1', to: MUSE });
      const [first, read, second] = service.seen;
      expect(read).toMatchObject({ method: 'GET', path: '/api/roles?skill=c%2B%2B&all=true', text: '' });
      expect(read!.headers['min-position']).toBe('00000000000000000009');
      for (const write of [first, second]) expect(write!.headers).not.toHaveProperty('min-position');
    }));

  test('sends the last position and a new idempotency key by POST', () =>
    against([ok({}, { 'event-position': '7' }), ok({}, { 'event-position': '8' }), ok()], async service => {
      const agent = tokened(service);
      await agent.hire({ role: 'job-1', to: MUSE });
      await agent.applications({ role: 'job-1' });
      await agent.inbox();
      expect(service.seen.map(({ headers }) => headers['min-position'])).toEqual([undefined, '7', '8']);
      const keys = service.seen.map(({ headers }) => headers['idempotency-key']);
      for (const key of keys) expect(key).toMatch(IDEMPOTENCY_KEY);
      expect(new Set(keys).size).toBe(3);
    }));

  test('asks for the highest position of all clients of its service', () =>
    against([ok({}, { 'event-position': '2' }), ok({}, { 'event-position': '1' }), ok()], async service => {
      for (const agent of [tokened(service), keyed(service)]) await agent.hire({ role: 'job-1', to: MUSE });
      await new NetworkReader(`${service.url}/`).role({ slug: 'job 1/2' });
      expect(service.seen[2]).toMatchObject({ path: '/api/role/job%201%2F2', headers: { 'min-position': '2' } });
    }));

  test('forgets a position that the service does not reach', () =>
    against([ok({}, { 'event-position': '9' }), refused(503, 'not_yet_visible'), ok()], async service => {
      const agent = tokened(service, { retry: { attemptsMax: 1 } });
      await agent.hire({ role: 'job-1', to: MUSE });
      await expect(agent.roles()).rejects.toMatchObject({ code: 'not_yet_visible' });
      await agent.roles();
      expect(service.seen.map(({ headers }) => headers['min-position'])).toEqual([undefined, '9', undefined]);
    }));

  test('drops a position that the log does not have and asks again without it', () =>
    against([ok({}, { 'event-position': '9' }), refused(400, 'min_position'), ok(), ok()], async service => {
      const agent = tokened(service);
      await agent.hire({ role: 'job-1', to: MUSE });
      await agent.roles();
      await agent.roles();
      const positions = service.seen.map(({ headers }) => headers['min-position']);
      expect(positions).toEqual([undefined, '9', undefined, undefined]);
    }));

  test('a read sends no position to a health endpoint', () =>
    against([ok({}, { 'event-position': '2' }), ok(), ok()], async service => {
      const reader = new NetworkReader(service.url);
      await reader.roles();
      await reader.live();
      await reader.health();
      expect(service.seen.map(({ method, path }) => `${method} ${path}`).slice(1)).toEqual([
        'GET /api/health/live',
        'GET /api/health',
      ]);
      for (const { headers } of service.seen) expect(headers['min-position']).toBeUndefined();
    }));

  test('a read gets the agent’s own profile by default', () =>
    against([ok(), ok()], async service => {
      const agent = tokened(service);
      await agent.ownProfile();
      await agent.muse({ id: 'agent_aaaaaaaaaa' });
      expect(service.seen.map(({ path }) => path)).toEqual([`/api/muse/${MUSE}`, '/api/muse/agent_aaaaaaaaaa']);
    }));
});

test('a refusal carries the fields of the error response', () =>
  against([refused(400, 'title', { field: 'title', hint: 'Two characters or more.' })], async service => {
    const failure = await tokened(service)
      .job(JOB)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({
      status: 400,
      code: 'title',
      error: 'Refused: title.',
      field: 'title',
      hint: 'Two characters or more.',
      retryable: false,
      body: { ok: false },
    });
    expect((failure as ApiError).resume).toBeUndefined();
  }));
