import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { quickstart, RawAgent, send, textOf } from '../raw-agent.js';
import { offerOf, paymentHeader } from '../x402.js';
import { CLEAN, World } from '../world.js';

/** From the poster's wallet to the worker's, without the service in between. */
let world: World;
let poster: RawAgent;
let worker: RawAgent;
beforeAll(async () => {
  world = await World.start();
  [poster, worker] = await Promise.all([world.raw('poster'), world.raw('worker')]);
});
afterAll(() => world.stop());

let titles = 0;
const summary = 'Twenty characters at least.';

async function paid(endpoint: string, fields: { [name: string]: string }): Promise<JsonObject> {
  const headers = await paymentHeader(poster.wallet, await poster.post(endpoint, fields), world.now());
  const { status, body } = await poster.post(endpoint, fields, headers);
  expect([status, body]).toEqual([200, expect.objectContaining({ ok: true, paid: true })]);
  return body;
}

/** A hire on a job with a budget. */
async function hired(rail = 'usdc-base', by = worker): Promise<string> {
  const job = { title: `Job ${(titles += 1)}`, summary, done: 'a thing is done', budget_usd: '10', rail };
  const role = (await paid('job', job))['role'] as string;
  await by.post('apply', { role, note: 'Me.' });
  return textOf(await poster.post('hire', { role, to: by.museId }), 'hire');
}

const deliver = (hire: string, by = worker) => by.post('deliver', { hire, url: world.page(`done ${hire}`) });

describe('a wage', () => {
  test.each(['usdc-base', 'usdg-robinhood'])('on %s goes to the payout address, once', async rail => {
    const hire = await hired(rail);
    await deliver(hire);
    const asked = await poster.post('pay', { hire });
    expect(offerOf(asked).accepts).toMatchObject([{ amount: '10000000', payTo: worker.wallet.address }]);
    const token = world.token(rail);
    const before = await token.balanceOf(worker.wallet.address);
    const answer = await paid('pay', { hire });
    expect(await token.balanceOf(worker.wallet.address)).toBe(before + 10_000_000n);
    const { tx } = answer['payment'] as { tx: string };
    const shown = { tx, amount_usd: '10', poster: poster.museId, task_id: Number(hire), source: expect.any(String) };
    expect(answer['receipt']).toMatchObject({ kind: 'receipt', muse_id: worker.museId, data: shown });
    const again = await poster.post('pay', { hire });
    expect(again).toMatchObject({ status: 200, body: { paid: true, payment: null, receipt: answer['receipt'] } });
    expect(await token.transfers(poster.wallet.address, worker.wallet.address)).toHaveLength(1);
    expect((await world.eventTypes(`hire-${hire}`)).filter(type => type === 'Paid')).toHaveLength(1);
  });

  test('needs an address to go to, and a delivery', async () => {
    const { museId, headers } = await quickstart(world.url, { kind: 'homeless' });
    const homeless = {
      museId,
      post: (path: string, body: object) => send(world.url, `/api/${path}`, { body, headers }),
    };
    const hire = await hired('usdc-base', homeless as unknown as RawAgent);
    expect(await poster.post('pay', { hire })).toMatchObject({ status: 409, body: { code: 'not_delivered' } });
    await homeless.post('deliver', { hire, url: world.page('homeless') });
    expect(await poster.post('pay', { hire })).toMatchObject({
      status: 409,
      body: { code: 'worker_has_no_wallet', retryable: true },
    });
    await homeless.post('join', { payout_address: worker.wallet.address });
    expect(await paid('pay', { hire })).toMatchObject({ hire: Number(hire) });
  });

  test('is no secret once the worker’s wallet is verified, and one before', async () => {
    const verified = await world.raw('verified worker');
    const hire = await hired('usdc-base', verified);
    await deliver(hire, verified);
    const unsigned = (fields: object) => send(world.url, '/api/pay', { body: fields });
    expect(await unsigned({ hire })).toMatchObject({ status: 401, body: { code: 'unsigned' } });
    expect(await unsigned({})).toMatchObject({ status: 400, body: { code: 'hire' } });
    expect(await unsigned({ hire: '1' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const wallet = verified.wallet.address;
    const headers = await paymentHeader(verified.wallet, await verified.post('verify', { wallet }), world.now());
    expect(await verified.post('verify', { wallet }, headers)).toMatchObject({ status: 200 });
    const offered = await unsigned({ hire });
    expect(offered).toMatchObject({ status: 402, body: { unsigned: expect.any(String) } });
    expect(offerOf(offered).accepts).toMatchObject([{ payTo: wallet, amount: '10000000' }]);
  });

  test('offered twice at once is paid once', async () => {
    const hire = await hired();
    await deliver(hire);
    const asked = await poster.post('pay', { hire });
    const headers = await Promise.all([1, 2, 3].map(() => paymentHeader(poster.wallet, asked, world.now())));
    const before = (await world.token('usdc-base').transfers(poster.wallet.address, worker.wallet.address)).length;
    const replies = await Promise.all(headers.map(each => poster.post('pay', { hire }, each)));
    const answers = replies.map(({ status, body }) => (status === 200 ? 200 : body['code']));
    expect(answers).toContain(200);
    expect(['settlement_pending', 200]).toEqual(expect.arrayContaining([...new Set(answers)]));
    expect(await world.token('usdc-base').transfers(poster.wallet.address, worker.wallet.address)).toHaveLength(
      before + 1,
    );
    for (const each of headers) expect(await poster.post('pay', { hire }, each)).toMatchObject({ status: 200 });
    expect((await world.eventTypes(`hire-${hire}`)).filter(type => type === 'Paid')).toHaveLength(1);
  });
});

test('every wage can be audited', async () => expect(await world.audit()).toEqual(CLEAN));
