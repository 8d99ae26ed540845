import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import { RawAgent, send } from '../raw-agent.js';
import { paymentHeader } from '../x402.js';
import { CLEAN, World } from '../world.js';

let world: World;
let poster: RawAgent;
let worker: RawAgent;
let third: RawAgent;
beforeAll(async () => {
  world = await World.start();
  [poster, worker, third] = await Promise.all([world.raw('poster'), world.raw('worker'), world.raw('third')]);
});
afterAll(() => world.stop());

const job = { title: 'A job', summary: 'Twenty characters at least.', done: 'a thing is done' };
const get = async (path: string) => (await send(world.url, path)).body;
const post = async (fields: object = {}, by = poster): Promise<string> => {
  const { status, body } = await by.post('job', { ...job, ...fields });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body['role'] as string;
};
const apply = (role: string, by = worker, fields = {}) => by.post('apply', { role, note: 'Me, please.', ...fields });
const hire = (role: string, of = worker, by = poster) => by.post('hire', { role, to: of.museId });
const hired = async (role: string, of = worker) => {
  await apply(role, of);
  return (await hire(role, of)).body['hire'] as number;
};
const refused = (status: number, code: string, field?: string) => ({
  status,
  body: field ? { code, field } : { code },
});

describe('a job is refused', () => {
  const soon = () => String(world.now() + HOUR_MS);
  test.each<[string, () => { [name: string]: string }]>([
    ['title', () => ({ title: 'x' })],
    ['title', () => ({ title: '   ' })],
    ['title', () => ({ title: 'two\nlines' })],
    ['title', () => ({ title: 'x'.repeat(81) })],
    ['summary', () => ({ summary: 'too short' })],
    ['summary', () => ({ summary: 'x'.repeat(601) })],
    ['done', () => ({ done: 'two words' })],
    ['done', () => ({ done: `a b ${'c'.repeat(200)}` })],
    ['skills', () => ({ skills: 'a1,a2,a3,a4,a5,a6' })],
    ['skills', () => ({ skills: 'x' })],
    ['seats', () => ({ seats: '0' })],
    ['seats', () => ({ seats: '11' })],
    ['trial', () => ({ trial: 'x'.repeat(301) })],
    ['terms', () => ({ terms: 'x'.repeat(601) })],
    ['rail', () => ({ rail: 'usdc-elsewhere', budget_usd: '1' })],
    ['budget', () => ({ budget: '1.5' })],
    ['budget', () => ({ budget: '0' })],
    ['budget', () => ({ budget: '5', budget_usd: '5' })],
    ['budget_usd', () => ({ budget_usd: '0.000000' })],
    ['budget_usd', () => ({ budget_usd: '0.0000001' })],
    ['budget_usd', () => ({ budget_usd: '-1' })],
    ['expires_at', () => ({ expires_at: String(world.now() - 1) })],
    ['expires_at', () => ({ expires_at: String(world.now() + 181 * DAY_MS) })],
    ['expires_at', () => ({ expires_at: 'tomorrow' })],
  ])('by %s', async (field, fields) =>
    expect(await poster.post('job', { ...job, ...fields() })).toMatchObject(refused(400, field, field)),
  );

  test.each([
    ['again_of', 'job-1'],
    ['project', 'no-project'],
  ])('for an unknown %s, before any price', async (field, slug) => {
    const fields = { ...job, expires_at: soon(), [field]: slug };
    expect(await poster.post('job', fields)).toMatchObject(refused(404, 'not_found', field));
    expect(await poster.post('job', { ...fields, budget_usd: '5' })).toMatchObject(refused(404, 'not_found', field));
  });
});

describe('an application is refused', () => {
  test('for an unknown role', async () => expect(await apply('job-1')).toMatchObject(refused(404, 'not_found')));
  test('by the poster', async () => expect(await apply(await post(), poster)).toMatchObject(refused(403, 'own_job')));

  test.each([{ note: '' }, { note: 'x'.repeat(601) }, { role: 'Not A Slug' }])('by its fields %j', async fields => {
    const [field] = Object.keys(fields);
    expect(await apply(await post(), worker, fields)).toMatchObject(refused(400, field!, field));
  });

  test('without an answer to the trial question', async () => {
    const role = await post({ trial: 'What is 2 + 2?' });
    expect(await apply(role)).toMatchObject(refused(400, 'trial_answer', 'trial_answer'));
    expect(await apply(role, worker, { trial_answer: 'x'.repeat(2_001) })).toMatchObject(refused(400, 'trial_answer'));
    expect(await apply(role, worker, { trial_answer: '4' })).toMatchObject({ status: 200 });
  });

  test('with an unknown crew', async () =>
    expect(await apply(await post(), worker, { crew: 'nobody' })).toMatchObject(refused(404, 'not_found', 'crew')));

  test('from the hired worker, and from others once the seats are taken', async () => {
    const role = await post();
    await hired(role);
    expect(await apply(role)).toMatchObject(refused(409, 'already_hired'));
    expect(await apply(role, third)).toMatchObject(refused(409, 'role_closed'));
  });
});

describe('a hire is refused', () => {
  test('for an unknown role', async () => expect(await hire('job-1')).toMatchObject(refused(404, 'not_found')));
  test('with an invalid muse id', async () =>
    expect(await poster.post('hire', { role: await post(), to: 'nobody' })).toMatchObject(refused(400, 'to', 'to')));

  test('by anyone but the poster', async () => {
    const role = await post();
    await apply(role);
    expect(await hire(role, worker, third)).toMatchObject(refused(403, 'not_the_poster'));
    expect(await hire(role, worker, worker)).toMatchObject(refused(403, 'not_the_poster'));
  });

  test('if the worker has not applied', async () =>
    expect(await hire(await post())).toMatchObject(refused(409, 'not_an_applicant', 'to')));

  test('when no seat is left', async () => {
    const role = await post();
    await Promise.all([apply(role), apply(role, third)]);
    expect((await hire(role)).status).toBe(200);
    expect(await hire(role, third)).toMatchObject(refused(409, 'no_seats'));
  });
});

describe('seats', () => {
  test('are filled in turn, and the last hire closes the role', async () => {
    const role = await post({ seats: '2' });
    await Promise.all([apply(role), apply(role, third)]);
    const first = await hire(role);
    expect(await get(`/api/role/${role}`)).toMatchObject({ role: { status: 'open', seats: 2, seats_left: 1 } });
    expect((await hire(role)).body).toEqual(first.body);
    await hire(role, third);
    const closed = { status: 'closed', closed_reason: 'filled', seats_left: 0, hired: [worker.museId, third.museId] };
    expect(await get(`/api/role/${role}`)).toMatchObject({ role: closed });
    expect((await hire(role)).body).toEqual(first.body);
  });

  test('the last seat goes to only one of three hired at the same time', async () => {
    const role = await post();
    const others = await Promise.all([world.raw('racer a'), world.raw('racer b')]);
    const all = [worker, ...others];
    await Promise.all(all.map(each => apply(role, each)));
    const replies = await Promise.all(all.map(each => hire(role, each)));
    expect(replies.map(({ body }) => body['code'] ?? 'hired').sort()).toEqual(['hired', 'no_seats', 'no_seats']);
    expect(await world.eventTypes(`job-${role}`)).toEqual(['JobPosted', 'SeatFilled', 'JobClosed']);
  });
});

describe('a delivery', () => {
  let id: number;
  beforeEach(async () => void (id = await hired(await post())));
  const deliver = (fields: object, by = worker) => by.post('deliver', { hire: String(id), ...fields });

  test('is refused for an unknown hire or a hire of another worker', async () => {
    const page = { url: world.page('done') };
    expect(await deliver({ ...page, hire: '1' })).toMatchObject(refused(404, 'not_found', 'hire'));
    expect(await deliver({ ...page, hire: 'x' })).toMatchObject(refused(400, 'hire', 'hire'));
    expect(await deliver(page, poster)).toMatchObject(refused(403, 'not_the_worker'));
    expect(await deliver(page, third)).toMatchObject(refused(403, 'not_the_worker'));
  });

  test.each([
    'http://example.com/plain',
    'ftp://example.com/file',
    'https://127.0.0.1/private',
    'https://[::1]/private',
    'https://169.254.169.254/metadata',
    'https://user:word@example.com/',
    'not an address',
    `https://example.com/${'x'.repeat(500)}`,
    '',
  ])('is refused for the address %j', async url =>
    expect(await deliver({ url })).toMatchObject(refused(400, 'url', 'url')),
  );

  test('may be repeated, and unreadable work has no digest and names the reason', async () => {
    const first = await deliver({ url: world.page('first') });
    const second = await deliver({ url: world.page('second'), note: 'Better.' });
    expect(first.body['digest']).not.toBe(second.body['digest']);
    expect(second.body).not.toHaveProperty('unreadable');
    const error = 'Its host did not answer 200. The service keeps trying for 24 hours.';
    expect(await deliver({ url: `${world.page('x', '/there')}/not` })).toMatchObject({
      status: 200,
      body: { digest: null, unreadable: { reason: 'status', error } },
    });
    expect((await world.eventTypes(`hire-${id}`)).filter(type => type === 'Delivered')).toHaveLength(3);
  });
});

describe('a wage is refused', () => {
  const pay = (id: number, fields = {}, by = poster) => by.post('pay', { hire: String(id), ...fields });
  const budgeted = async () => {
    const fields = { ...job, budget_usd: '1' };
    const headers = await paymentHeader(poster.wallet, await poster.post('job', fields), world.now());
    return hired((await poster.post('job', fields, headers)).body['role'] as string);
  };

  test('without a hire, budget or delivery, by another payer, or for another delivery', async () => {
    expect(await pay(1)).toMatchObject(refused(404, 'not_found', 'hire'));
    const free = await hired(await post());
    await worker.post('deliver', { hire: String(free), url: world.page('free') });
    expect(await pay(free)).toMatchObject(refused(409, 'no_budget'));
    const id = await budgeted();
    expect(await pay(id)).toMatchObject(refused(409, 'not_delivered'));
    await worker.post('deliver', { hire: String(id), url: world.page('paid for') });
    expect(await pay(id, {}, third)).toMatchObject(refused(403, 'not_the_poster'));
    expect(await pay(id, { digest: '0'.repeat(64) })).toMatchObject(refused(409, 'delivery_changed', 'digest'));
    expect(await pay(id, { digest: 'x' })).toMatchObject(refused(400, 'digest', 'digest'));
    const headers = await paymentHeader(poster.wallet, await pay(id), world.now());
    expect(await poster.post('pay', { hire: String(id) }, headers)).toMatchObject({
      status: 200,
      body: { paid: true },
    });
    const late = await worker.post('deliver', { hire: String(id), url: world.page('late') });
    expect(late).toMatchObject(refused(409, 'already_paid'));
  });
});

test('the log passes the audit', async () => expect(await world.audit()).toEqual(CLEAN));
