import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ExactEvmScheme } from '@x402/evm';
import { appendPaymentIdentifierToExtensions, PAYMENT_IDENTIFIER } from '@x402/extensions/payment-identifier';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { Wallet } from 'ethers';
import { privateKeyToAccount } from 'viem/accounts';
import { RAILS } from '#libs/payments/rails.js';
import { CuttingProxy } from '../doubles/cutting-proxy.js';
import { LONG_MS, ROOT } from '../packed/installing.js';
import type { PurchaseFixture } from '../purchase-fixture.js';
import { PURCHASES } from '../purchases.js';
import { newIdempotencyKey, type SignedBody } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import { python, pythonWith } from './python.js';

const PACKAGES = ['x402[evm,extensions,requests]==2.25.0'];
const PROGRAM = readFileSync(join(ROOT, 'test', 'face', 'x402-identifier.py'), 'utf8');
const RAIL = 'usdc-base';

/** `bodies`: the request and its repetition. */
interface OfficialPurchase {
  readonly url: string;
  readonly key: string;
  readonly id: string;
  readonly bodies: readonly [SignedBody, SignedBody];
}

let world: World;
let executable: string;
let proxy: CuttingProxy;

beforeAll(async () => {
  [world, executable] = await Promise.all([World.start(), pythonWith(...PACKAGES)]);
}, LONG_MS);

afterAll(() => (world as World | undefined)?.stop());

async function payTwice({ url, key, id, bodies }: OfficialPurchase): Promise<string> {
  const scheme = new ExactEvmScheme(privateKeyToAccount(key as `0x${string}`));
  const client = new x402Client().setSpendControls({ allowedAssets: true, maxAmountPerPayment: false });
  client.register('eip155:*', scheme).registerExtension({
    key: PAYMENT_IDENTIFIER,
    enrichPaymentPayload: async payment => ({
      ...payment,
      extensions: appendPaymentIdentifierToExtensions(structuredClone(payment.extensions ?? {}), id),
    }),
  });
  const post = (body: SignedBody) =>
    wrapFetchWithPayment(fetch, client)(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await expect(post(bodies[0])).rejects.toThrow();
  const response = await post(bodies[1]);
  return `${response.status} ${await response.text()}`;
}

async function payAllInTypeScript(purchases: readonly OfficialPurchase[]): Promise<string[]> {
  const answers: string[] = [];
  for (const purchase of purchases) answers.push(await payTwice(purchase));
  return answers;
}

const payAllInPython = async (purchases: readonly OfficialPurchase[]) =>
  (await python(executable, PROGRAM, JSON.stringify(purchases))).trim().split('\n');

test.each([
  ['TypeScript', payAllInTypeScript],
  ['Python', payAllInPython],
])(
  'the official client of %s pays once on each path whose first answer is lost',
  async (_language, payAll) => {
    proxy = await CuttingProxy.start(world.url);
    const fixtures: PurchaseFixture[] = [];
    // One path has one lost answer.
    for (const name of Object.keys(PURCHASES).filter(each => each !== 'rebind'))
      fixtures.push(await PURCHASES[name]!(world, RAIL));
    const before = await Promise.all(fixtures.map(paidBy));
    const answers = await payAll(
      fixtures.map(fixture => ({
        url: `${proxy.url}/api/${fixture.terms.endpoint}`,
        key: (fixture.terms.wallet as Wallet).privateKey,
        id: `pay_${newIdempotencyKey()}`,
        bodies: [fixture.body(), fixture.body()],
      })),
    );
    for (const answer of answers) {
      expect(answer).toMatch(/^200 /);
      expect(JSON.parse(answer.slice('200 '.length))).toMatchObject({ ok: true });
    }
    expect(proxy.cut.size).toBe(fixtures.length);
    const after = await Promise.all(fixtures.map(paidBy));
    expect(after.map((count, at) => count - before[at]!)).toEqual(fixtures.map(() => 1));
    proxy.stop();
    await world.settle();
    expect(await world.audit()).toEqual(CLEAN);
  },
  LONG_MS,
);

/** The clients pay on the first rail of an offer. */
async function paidBy({ terms }: PurchaseFixture): Promise<number> {
  const transfers = RAILS.map(({ name }) => world.token(name).transfers(terms.wallet.address, null));
  return (await Promise.all(transfers)).flat().length;
}
