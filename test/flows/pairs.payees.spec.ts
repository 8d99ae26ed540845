import { expect, test } from '@jest/globals';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { useFaultyWorld } from '../faulty-rpc.js';
import { PurchaseFixture, type SignedPurchase } from '../purchase-fixture.js';
import { PURCHASES } from '../purchases.js';
import type { RawAgent } from '../raw-agent.js';
import { bring, expectTable, inEachState, numbered, outcomeOf } from './pairs.table.js';

const HEADING = 'A pending payment whose payee is gone';
const RAIL = 'usdc-base';
const timing = { waitMs: SECOND_MS, watchMs: 100, passMs: 100 };
const { world, faultyRpc } = useFaultyWorld(timing, { timeoutMs: 5 * SECOND_MS });

/** `payee` gets the money. */
interface Paying {
  readonly payee: RawAgent;
  readonly purchase: PurchaseFixture;
  readonly payment: SignedPurchase;
}
type Payments = ReadonlyMap<string, Paying>;

const newMuse = (name: string) => world.raw(numbered(name));

async function prepareWage(): Promise<Paying> {
  const payee = await newMuse('Worker');
  const purchase = await PURCHASES['pay']!(world, RAIL, payee);
  return { payee, purchase, payment: await purchase.sign() };
}

async function prepareMessage(): Promise<Paying> {
  const [payee, agent] = [await newMuse('Reader'), await newMuse('Writer')];
  await new PurchaseFixture(world, {
    endpoint: 'verify',
    agent: payee,
    wallet: payee.wallet,
    fields: { wallet: payee.wallet.address },
    rail: RAIL,
  }).buy();
  const fields = { to: payee.museId, text: 'Are you free on Monday?' };
  const purchase = new PurchaseFixture(world, {
    endpoint: 'message',
    agent,
    wallet: agent.wallet,
    fields,
    rail: RAIL,
  });
  return { payee, purchase, payment: await purchase.sign() };
}

test('a payment whose payee is gone while it is pending ends as its table says', async () => {
  const wages = await inEachState(HEADING, prepareWage);
  const messages = await inEachState(HEADING, prepareMessage);
  faultyRpc.of(RAIL).set('drop-before', { method: 'eth_sendRawTransaction' });
  for (const payments of [wages, messages])
    for (const [state, { payee, purchase, payment }] of payments) {
      expect(await purchase.pay(payment)).toMatchObject({ body: { code: 'settlement_pending' } });
      await bring(world, payee, state);
    }
  faultyRpc.mend();
  const settle = (payments: Payments) => async (state: string) => {
    const { purchase, payment } = payments.get(state)!;
    const reply = await purchase.payUntilSettled(payment);
    expect(await purchase.transfers(payment)).toHaveLength(1);
    return reply.body['delivered'] === false ? 'ok, not delivered' : outcomeOf(reply);
  };
  await expectTable(HEADING, { pay: settle(wages), message: settle(messages) });
});
