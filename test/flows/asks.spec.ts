import { beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import type { SignableFields } from '#libs/platform/signing/signed-message.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { readOffer } from '../x402.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();
let poster: RawAgent;
let worker: RawAgent;
beforeAll(async () => {
  [poster, worker] = await world.raws('poster', 'worker');
});

const apply = (role: string, fields: SignableFields = {}) => worker.post('apply', { role, note: 'Gladly.', ...fields });

const askedFor = async (role: string) => {
  const { body } = await poster.ok('applications', { role });
  return (body['applications'] as unknown as readonly { readonly ask: JsonObject | null }[])[0]!.ask;
};

const paidJob = (terms: SignableFields = {}) => poster.postJob({ budget_usd: '10', ...terms });

const HALF = { amount: '5000000', usd: '5' };
const WAGE = { ...HALF, token: 'USDC', rail: 'usdc-base', network: 'eip155:8453' };

describe('an application', () => {
  test('asks for a wage that only the poster can read', async () => {
    const role = await paidJob();
    expect(await apply(role, { ask_usd: '5.000' })).toMatchObject({ status: 200, body: { ask: HALF } });
    expect(await askedFor(role)).toEqual(HALF);
    const item = (await world.inboxOf(poster)).find(({ kind, role: of }) => kind === 'application' && of === role);
    expect(item).toMatchObject({ ask: HALF });
    const { body } = await poster.ok('tasks', { role });
    expect(body['tasks']).toMatchObject([{ applications: [{ muse_id: worker.museId, ask: HALF }] }]);
    const shown = await world.read(`/api/role/${role}`);
    expect(shown['applications']).toMatchObject([{ muse_id: worker.museId }]);
    const events = await world.read(`/api/events?stream=application-${role}:${worker.museId}`);
    for (const open of [shown, events]) expect(JSON.stringify(open)).not.toMatch(/5000000|"5"|5\.000/);
  });

  test('keeps its ask in an edit without one, and clears it by an empty one', async () => {
    const role = await paidJob();
    await apply(role, { ask: '5000000' });
    expect((await apply(role, { note: 'Very gladly.' })).body).toMatchObject({ edited: true, ask: HALF });
    expect((await apply(role, { ask_usd: '7' })).body).toMatchObject({ ask: { amount: '7000000', usd: '7' } });
    expect((await apply(role, { ask: '' })).body).toMatchObject({ edited: true, ask: null });
    expect(await askedFor(role)).toBeNull();
  });

  test('may ask for the whole budget, but for no more', async () => {
    const role = await paidJob();
    const above = await apply(role, { ask: '10000001' });
    expect(above).toMatchObject({ status: 409, body: { code: 'ask_above_budget' } });
    expect(await apply(role, { ask: '10000000' })).toMatchObject({ status: 200 });
  });

  test('cannot ask for a wage where the job pays none', async () => {
    const role = await poster.postJob();
    expect(await apply(role, { ask_usd: '1' })).toMatchObject({ status: 409, body: { code: 'no_budget' } });
    expect(await apply(role)).toMatchObject({ status: 200, body: { ask: null } });
  });

  test.each([
    [{ ask: '5', ask_usd: '5' }, 'ask'],
    [{ ask: '0' }, 'ask'],
    [{ ask_usd: '0.00' }, 'ask_usd'],
    [{ ask_usd: 'much' }, 'ask_usd'],
  ])('with %j is refused as invalid', async (fields, field) => {
    const role = await paidJob();
    expect(await apply(role, fields)).toMatchObject({ status: 400, body: { code: field, field } });
  });
});

describe('a hire', () => {
  test('at an ask pays the ask and shows it as its wage', async () => {
    const role = await paidJob();
    await apply(role, { ask_usd: '5' });
    const answer = await poster.ok('hire', { role, to: worker.museId, wage_usd: '5' });
    expect(answer.body).toMatchObject({ position: { wage: WAGE } });
    const hire = textOf(answer, 'hire');
    await worker.ok('deliver', { hire, url: world.page(`asked ${hire}`) });
    expect(readOffer(await poster.post('pay', { hire })).accepts).toMatchObject([{ amount: '5000000' }]);
    const { body: paid } = await poster.buy('pay', { hire });
    expect(paid).toMatchObject({ receipt: { data: { amount_usd: '5' } }, payment: { amount: '5000000' } });
    await world.settle();
    expect(await world.read(`/api/role/${role}/hires`)).toMatchObject({ hires: [{ wage: WAGE }] });
    const { record } = await world.read(`/api/record/hire/${hire}`);
    const payload = JSON.parse((record as { payload: string }).payload) as JsonObject;
    expect(payload).toMatchObject({ wage: WAGE, budget: { usd: '10' }, payment: { usd: '5' } });
    const { items } = await world.read(`/api/feed?kind=hires`);
    const item = (items as unknown as readonly JsonObject[]).find(({ kind }) => kind === 'hired')!;
    expect(item).toMatchObject({ wage: WAGE, data: { position: { wage: WAGE } } });
    const inbox = await world.inboxOf(worker);
    expect(inbox.find(({ kind, hire: of }) => kind === 'hired' && of === Number(hire))).toMatchObject({ wage: WAGE });
  });

  test('at a wage that the applicant has changed is refused and names the new one', async () => {
    const role = await paidJob();
    await apply(role, { ask_usd: '5' });
    await apply(role, { ask_usd: '7' });
    const changed = { status: 409, body: { code: 'ask_changed', wage: { amount: '7000000', usd: '7' } } };
    const hire = (fields: SignableFields) => poster.post('hire', { role, to: worker.museId, ...fields });
    expect(await hire({ wage_usd: '5' })).toMatchObject(changed);
    const { status, body } = await hire({ wage: '7000000' });
    expect([status, body['position']]).toMatchObject([200, { wage: { usd: '7' } }]);
    expect(await hire({ wage_usd: '5' })).toMatchObject(changed);
    expect(await hire({ wage_usd: '7' })).toMatchObject({ status: 200, body: { hire: body['hire'] } });
    expect(await hire({})).toMatchObject({ status: 200, body: { hire: body['hire'] } });
  });

  test('at a wage that changes at the same instant pays the agreed wage or is refused', async () => {
    for (let round = 0; round < 4; round += 1) {
      const role = await paidJob();
      await apply(role, { ask_usd: '5' });
      const hiring = { role, to: worker.museId, wage_usd: '5' };
      const changes = round % 2 === 0 ? [{ ask_usd: '7' }] : [{ ask_usd: '7' }, { ask_usd: '9' }];
      const [{ status, body }] = await Promise.all([
        poster.post('hire', hiring),
        ...changes.map(change => apply(role, change)),
      ]);
      if (status === 409) expect(body['code']).toBe('ask_changed');
      else expect([status, body['position']]).toMatchObject([200, { wage: WAGE }]);
      await world.settle();
      const { hires } = (await world.read(`/api/role/${role}/hires`)) as unknown as { hires: JsonObject[] };
      expect(hires.map(({ wage }) => wage)).toEqual(status === 200 ? [expect.objectContaining({ usd: '5' })] : []);
    }
  });
});

test('min_usd leaves out jobs without pay, also at zero', async () => {
  const [free, paid] = [await poster.postJob(), await paidJob()];
  await world.settle();
  const { body } = await send(world.url, `/api/roles?min_usd=0&poster=${poster.museId}&limit=50`);
  const slugs = (body['roles'] as unknown as readonly { readonly slug: string }[]).map(({ slug }) => slug);
  expect([slugs.includes(free), slugs.includes(paid)]).toEqual([false, true]);
});
