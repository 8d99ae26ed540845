import { expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { RPC_TIMEOUT_MS, useFaultyWorld } from '../faulty-rpc.js';
import { type Reply, requireOk } from '../raw-agent.js';
import { PURCHASES } from '../purchases.js';
import type { PurchaseFixture, SignedPurchase } from '../purchase-fixture.js';
import { cancelAuthorization } from '../third-party.js';
import { expectTable, inEachState } from './pairs.table.js';

const RAIL = 'usdc-base';
/** More blocks than a final block lies behind the newest. */
const FINALITY = '0x100';
const TIMING = { waitMs: 300, pollMs: 10, pollMsMax: 50, stuckMs: 400, watchMs: 10 * MINUTE_MS };
const { world, faultyRpc } = useFaultyWorld(TIMING, { timeoutMs: RPC_TIMEOUT_MS });

interface Paying {
  readonly purchase: PurchaseFixture;
  readonly payment: SignedPurchase;
}
type Purchases = { readonly [row: string]: PurchaseFixture };
type Act = (paying: Paying) => Promise<unknown>;

const LAST_EVENTS = {
  settled: 'PaymentApplied',
  pending: 'PaymentSubmitted',
  cancelled: 'PaymentRefused',
  expired: 'PaymentExpired',
};

const ROWS = Object.keys(PURCHASES);

async function prepare(): Promise<Purchases> {
  const purchases: { [row: string]: PurchaseFixture } = {};
  for (const row of ROWS) purchases[row] = await PURCHASES[row]!(world, RAIL);
  return purchases;
}

const pay: Act = ({ purchase, payment }) => purchase.pay(payment);
const settle: Act = async ({ purchase, payment }) => requireOk(await purchase.payUntilSettled(payment));
const cancel: Act = ({ purchase: { token, terms }, payment }) =>
  cancelAuthorization(token, RAIL, terms.wallet, payment.authorization.nonce);

/** Prepares each purchase for each state, and then brings its payment into the state. */
async function payEach(): Promise<(column: string, row: string) => Paying> {
  const purchases = await inEachState('A purchase that was paid for', prepare);
  const paying = new Map<string, Paying>();
  const sign = async (column: string) => {
    for (const row of ROWS) {
      const purchase = purchases.get(column)![row]!;
      paying.set(`${row}, ${column}`, { purchase, payment: await purchase.sign() });
    }
  };
  const each = async (column: string, act: Act) => {
    for (const row of ROWS) await act(paying.get(`${row}, ${column}`)!);
  };
  for (const column of ['settled', 'cancelled', 'expired']) await sign(column);
  await each('settled', settle);
  faultyRpc.of(RAIL).set('drop-before', { method: 'eth_sendRawTransaction' });
  for (const column of ['cancelled', 'expired']) await each(column, pay);
  await each('cancelled', cancel);
  await world.advance(11 * MINUTE_MS);
  await world.token(RAIL).call('anvil_mine', FINALITY);
  for (const column of ['cancelled', 'expired']) await each(column, pay);
  await sign('pending');
  await each('pending', pay);
  return (column, row) => paying.get(`${row}, ${column}`)!;
}

test('each purchase answers in each state of its payment as its table says', async () => {
  const payingOf = await payEach();
  for (const [column, type] of Object.entries(LAST_EVENTS)) {
    const { purchase, payment } = payingOf(column, 'verify');
    expect([column, (await purchase.eventTypes(payment)).at(-1)]).toEqual([column, type]);
  }
  const triesOf = (ask: (paying: Paying) => Promise<Reply>) =>
    Object.fromEntries(ROWS.map(row => [row, (column: string) => ask(payingOf(column, row))]));
  await expectTable(
    'A purchase that was paid for',
    triesOf(({ purchase }) => purchase.offer()),
  );
  await expectTable(
    'A payment that is sent again',
    triesOf(({ purchase, payment }) => purchase.pay(payment)),
  );
  faultyRpc.mend();
});
