import { describe, expect, test } from '@jest/globals';
import { type BaseWallet, Wallet } from 'ethers';
import { type Reply, send } from '../raw-agent.js';
import { PURCHASES } from '../purchases.js';
import { PurchaseFixture } from '../purchase-fixture.js';
import { readOffer } from '../x402.js';
import { useSharedWorld } from '../use-world.js';

const RAIL = 'usdg-robinhood';
const world = useSharedWorld();

const head = () => world.service.stores.log.head();
const failed = (status: number, code: string) => ({ status, body: { ok: false, code } });
const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).sort();
const sent = async (wallet: BaseWallet) => (await world.token(RAIL).transfers(wallet.address)).length;

describe('an identity in one paid step', () => {
  test('is validated completely before a price is named', async () => {
    const taken = await world.raw('taken');
    const purchase = await PURCHASES['identity']!(world, RAIL);
    const name = (await world.reader().muse({ id: taken.museId })).muse.name!;
    const written = await head();
    const refusals: [object, object][] = [
      [{ name }, failed(409, 'name_taken')],
      [
        { name: name.toUpperCase() },
        { body: { suggestions: expect.arrayContaining([expect.any(String)]), field: 'name' } },
      ],
      [{ name: 'x' }, { status: 400, body: { field: 'name' } }],
      [{ headline: '' }, { status: 400, body: { field: 'headline' } }],
      [{ wallet: '0x1234' }, { status: 400, body: { field: 'wallet' } }],
      [{ skills: 'a'.repeat(30) }, { status: 400, body: { field: 'skills' } }],
      [{ public_key: 'A'.repeat(43) }, { status: 400, body: { field: 'public_key' } }],
    ];
    for (const [fields, refusal] of refusals) {
      const refused = await purchase.send(purchase.body(fields as { [name: string]: string }));
      expect([fields, refused]).toMatchObject([fields, refusal]);
      expect(refused.headers.get('payment-required')).toBeNull();
    }
    expect(await head()).toBe(written);
    expect(await purchase.buy()).toMatchObject({ status: 200, body: { created: true, verified: true } });
  });

  test('is sold at once to a key whose registration was refused for its name', async () => {
    const taken = await world.raw('only one');
    const { name } = (await world.reader().muse({ id: taken.museId })).muse;
    const purchase = await PURCHASES['identity']!(world, RAIL);
    const { agent } = purchase.terms;
    const refused = await agent.post('register', { name: name, headline: 'Comes too late' });
    expect(refused).toMatchObject(failed(409, 'name_taken'));
    expect(await purchase.buy()).toMatchObject({ status: 200, body: { created: true, verified: true } });
  });

  test('has the same response after another wallet was bound', async () => {
    const purchase = await PURCHASES['identity']!(world, RAIL);
    const payment = await purchase.sign();
    const bought = await purchase.pay(payment);
    const { agent } = purchase.terms;
    agent.museId = bought.body['muse_id'] as string;
    const wallet = Wallet.createRandom();
    await world.fund(wallet.address);
    const fields = { wallet: wallet.address, rebind: 'true' };
    const rebinding = new PurchaseFixture(world, { ...purchase.terms, endpoint: 'verify', wallet, fields });
    expect(await rebinding.buy()).toMatchObject({ status: 200, body: { wallet: wallet.address } });
    const again = await purchase.pay(payment);
    expect(again.body).toEqual(bought.body);
    expect(again.headers.get('event-position')).toBe(bought.headers.get('event-position'));
  });

  test('with a name that two callers pay for goes to one, and only that one is charged', async () => {
    const tills = await Promise.all([PURCHASES['identity']!(world, RAIL), PURCHASES['identity']!(world, RAIL)]);
    const name = 'Wanted by two';
    const named = tills.map(
      purchase => new PurchaseFixture(world, { ...purchase.terms, fields: { ...purchase.terms.fields, name } }),
    );
    const payments = await Promise.all(named.map(purchase => purchase.sign()));
    const replies = await Promise.all(named.map((purchase, at) => purchase.pay(payments[at]!)));
    expect(statuses(replies)).toEqual([200, 409]);
    const lost = replies.findIndex(({ status }) => status === 409);
    expect(['name_taken', 'settlement_pending']).toContain(replies[lost]!.body['code']);
    expect(await named[lost]!.pay(payments[lost]!)).toMatchObject(failed(409, 'name_taken'));
    const charged = await Promise.all(named.map(purchase => sent(purchase.terms.wallet)));
    expect([charged[lost], charged[1 - lost]]).toEqual([0, 1]);
    expect(await tills[lost]!.buy()).toMatchObject({ status: 200, body: { created: true } });
  });
});

describe('an unsigned request', () => {
  const unsigned = (endpoint: string, body: object) => send(world.url, `/api/${endpoint}`, { body });

  test.each(['verify', 'identity'])('gets the price of %s before any other check', async endpoint => {
    const written = await head();
    const bodies = [
      {},
      { wallet: 'none', name: '' },
      { signature: 'short' },
      { signature: 7 },
      { muse_id: 'x', timestamp: 'never' },
    ];
    for (const body of bodies) {
      const reply = await unsigned(endpoint, body);
      expect(reply).toMatchObject(failed(402, 'payment_required'));
      expect(reply.body['unsigned']).toMatch('signature' in body ? /86 base64url/ : /no signature/);
      expect(readOffer(reply).accepts).toHaveLength(2);
    }
    expect(await head()).toBe(written);
  });

  test('needs the budget for the price of a fee', async () => {
    expect(await unsigned('job', {})).toMatchObject(failed(401, 'unsigned'));
    for (const body of [{ budget_usd: '10' }, { budget: '10000000' }, { budget: '10000000', rail: 'usdg-robinhood' }]) {
      const reply = await unsigned('job', body);
      expect(reply).toMatchObject(failed(402, 'payment_required'));
      expect(readOffer(reply).accepts).toMatchObject([{ amount: '500000' }]);
    }
    expect(await unsigned('job', { budget_usd: '0' })).toMatchObject({ status: 400, body: { field: 'budget_usd' } });
  });

  test('is refused with a payment, which could not be attributed', async () => {
    const purchase = await PURCHASES['verify']!(world, RAIL);
    const { headers } = await purchase.sign();
    const refused = await send(world.url, '/api/verify', { body: purchase.terms.fields, headers });
    expect(refused).toMatchObject(failed(401, 'unsigned'));
    expect(await sent(purchase.terms.wallet)).toBe(0);
  });
});
