import { expect, test } from '@jest/globals';
import { listPayments } from '#apps/operator/payments.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { send } from '../raw-agent.js';
import type { PurchaseFixture, SignedPurchase } from '../purchase-fixture.js';
import { PURCHASES } from '../purchases.js';
import { Reorganisation } from '../reorganisation.js';
import { waitUntil } from '../wait-until.js';
import { cancelAuthorization } from '../third-party.js';
import { useWorld } from '../use-world.js';

const RAIL = 'usdc-base';
const FINALITY = 40;
const SETTLED = ['PaymentAccepted', 'PaymentSubmitted', 'PaymentSettled', 'PaymentApplied'];
const world = useWorld({ settings: { BASE_FINALITY: String(FINALITY) } });

interface Wage {
  readonly purchase: PurchaseFixture;
  readonly payment: SignedPurchase;
  readonly chain: Reorganisation;
  readonly worker: string;
  readonly hire: string;
}

/** Pays a wage in a block that a reorganisation can remove. */
async function paidWage(name: string): Promise<Wage> {
  const worker = await world.raw(name);
  const purchase = await PURCHASES['pay']!(world, RAIL, worker);
  const payment = await purchase.sign();
  const chain = await Reorganisation.of(purchase.token);
  expect(await purchase.pay(payment)).toMatchObject({ status: 200, body: { paid: true } });
  return { purchase, payment, chain, worker: worker.museId, hire: String(purchase.terms.fields['hire']) };
}

const read = async (path: string) => (await send(world.url, path)).body;
const recordOf = async ({ hire }: Wage) => {
  const { record } = (await world.read(`/api/record/hire/${hire}`)) as { record: { payload: string } };
  return JSON.parse(record.payload) as JsonObject;
};
const profileOf = ({ worker }: Wage) => world.read(`/api/muse/${worker}`);
const listed = async ({ payment }: Wage) =>
  (await listPayments(world.service.stores.log)).find(({ id }) => id === payment.id);
const story = ({ purchase, payment }: Wage) => purchase.eventTypes(payment);
const blockOf = async ({ purchase }: Wage, tx: string) => {
  const { blockNumber } = await purchase.token.call<{ blockNumber: string }>('eth_getTransactionReceipt', tx);
  return Number(blockNumber);
};

test('a wage whose block is removed is sent again, and its record names the new block', async () => {
  const wage = await paidWage('back again');
  const [first] = await wage.purchase.transfers(wage.payment);
  await wage.chain.revert();
  await waitUntil(async () => (await wage.purchase.transfers(wage.payment)).length > 0);
  expect(await wage.purchase.transfers(wage.payment)).toEqual([first]);
  await waitUntil(async () => (await story(wage)).length > SETTLED.length);
  expect(await story(wage)).toEqual([...SETTLED, 'PaymentSettled']);
  const block = await blockOf(wage, first!.tx);
  expect(await recordOf(wage)).toMatchObject({ payment: { tx: first!.tx, block } });
  const receipts = [{ kind: 'receipt', data: { tx: first!.tx, block } }];
  expect(await profileOf(wage)).toMatchObject({ earned: [{ count: 1, usd: '10' }], receipts });
  expect(await listed(wage)).toMatchObject({ state: 'settled', tx: first!.tx });
});

test('a wage that can never settle again is lost everywhere and can be paid again', async () => {
  const before = await read('/api/stats');
  const wage = await paidWage('lost');
  const { purchase, payment, chain } = wage;
  const tx = (await purchase.transfers(payment))[0]!.tx;
  await chain.revert();
  await cancelAuthorization(purchase.token, RAIL, purchase.terms.wallet, payment.authorization.nonce);
  await chain.mine(FINALITY);
  await waitUntil(async () => (await story(wage)).includes('PaymentLost'));
  expect(await story(wage)).toEqual([...SETTLED, 'PaymentLost']);

  expect(await listed(wage)).toMatchObject({ state: 'lost', reason: 'authorization_spent', tx });
  expect(await recordOf(wage)).toMatchObject({ payment: null, lost: { tx } });
  const profile = await profileOf(wage);
  expect(profile).toMatchObject({ earned: [], receipts: [], gigs: [], positions: [{ paid: false, lost: { tx } }] });
  const { receipts, paid } = await read('/api/stats');
  expect({ receipts, paid }).toEqual({ receipts: before['receipts'], paid: before['paid'] });
  const { items } = (await read('/api/feed?kind=hires')) as { items: { kind: string; data: JsonObject }[] };
  const receipt = items.find(({ kind, data }) => kind === 'receipt' && data['tx'] === tx);
  expect(receipt).toMatchObject({ data: { lost_at: expect.any(Number) } });
  const pageOf = async (path: string) => (await fetch(world.url + path, { headers: { accept: 'text/html' } })).text();
  expect((await pageOf('/feed?kind=hires')).match(/undone by a reorganisation of the chain/g)).toHaveLength(1);
  const [{ role }] = profile['positions'] as [{ role: string }];
  expect(await pageOf(`/jobs/${role}`)).toContain('but a reorganisation of the chain took it back');

  expect(await purchase.pay(payment)).toMatchObject({ status: 402, body: { code: 'authorization_refused' } });
  const again = await purchase.sign();
  expect(await purchase.pay(again)).toMatchObject({ status: 200, body: { paid: true } });
  expect(await purchase.transfers(again)).toHaveLength(1);
  const record = await recordOf(wage);
  expect(record).toMatchObject({ payment: { tx: (await purchase.transfers(again))[0]!.tx } });
  expect(record).not.toHaveProperty('lost');
  expect(await profileOf(wage)).toMatchObject({ earned: [{ count: 1, usd: '10' }], positions: [{ paid: true }] });
});

test('a fee that can never settle again is lost but keeps its effect', async () => {
  const purchase = await PURCHASES['verify']!(world, RAIL);
  const payment = await purchase.sign();
  const chain = await Reorganisation.of(purchase.token);
  const body = purchase.body();
  const bought = await purchase.send(body, payment.headers);
  await chain.revert();
  await cancelAuthorization(purchase.token, RAIL, purchase.terms.wallet, payment.authorization.nonce);
  await chain.mine(FINALITY);
  await waitUntil(async () => (await purchase.eventTypes(payment)).includes('PaymentLost'));
  expect((await purchase.send(body, payment.headers)).body).toEqual(bought.body);
  await world.settle();
  expect(await read(`/api/muse/${purchase.terms.agent.museId}`)).toMatchObject({ muse: { verified: true } });
  const [lost] = (await world.events()).filter(
    ({ type, stream }) => type === 'PaymentLost' && stream.endsWith(payment.id),
  );
  expect(lost).toMatchObject({ data: { undone: false, endpoint: 'verify' } });
});
