import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { Wallet } from 'ethers';
import { type HeaderFields, quickstart } from '../raw-agent.js';
import { browser, describeInChromium, world } from './in-chromium.js';
import { Site } from './site.js';

const ROOT = join(import.meta.dirname, '../..');
const PAGE_MS = 60_000;

const PROGRAM = `
import { ExactEvmScheme } from '@x402/evm';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';

window.pay = async ({ key, network, url, headers, body }) => {
  const client = new x402Client()
    .register(network, new ExactEvmScheme(privateKeyToAccount(key)))
    .setSpendControls({ allowedAssets: true, maxAmountPerPayment: false });
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
  const response = await wrapFetchWithPayment(fetch, client)(url, init);
  const settled = decodePaymentResponseHeader(response.headers.get('payment-response'));
  return { status: response.status, answer: await response.json(), settled };
};`;

interface Payment {
  readonly key: string;
  readonly network: string;
  readonly url: string;
  readonly headers: HeaderFields;
  readonly body: string;
}
interface Paid {
  readonly status: number;
  readonly answer: object;
  readonly settled: object;
}

describeInChromium('the official x402 client in a page of another origin', () => {
  const folder = mkdtempSync(join(tmpdir(), 'face-'));
  let site: Site;

  beforeAll(async () => {
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Pays</title><script src="/pay.js"></script>');
    const stdin = { contents: PROGRAM, resolveDir: ROOT };
    await build({ stdin, bundle: true, outfile: join(folder, 'pay.js'), logLevel: 'error' });
    site = await Site.of(folder);
  }, PAGE_MS);

  afterAll(async () => {
    await (site as Site | undefined)?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const pay = async (payment: Payment): Promise<Paid> => {
    const page = await browser.newPage();
    await page.goto(site.url('/index.html'));
    const paid = await page.evaluate(
      each => (globalThis as unknown as { pay(payment: Payment): Promise<Paid> }).pay(each),
      payment,
    );
    await page.close();
    return paid;
  };

  test.each(['eip155:8453', 'eip155:4663'])(
    'pays a verification on %s',
    async network => {
      const wallet = Wallet.createRandom();
      await world.fund(wallet.address);
      const { headers } = await quickstart(world.url, { kind: 'browser' });
      const body = JSON.stringify({ wallet: wallet.address });
      const paid = await pay({ key: wallet.privateKey, network, url: `${world.url}/api/verify`, headers, body });
      expect(paid).toMatchObject({
        status: 200,
        answer: { ok: true, paid: true, verified: true },
        settled: { success: true, network, payer: wallet.address },
      });
    },
    PAGE_MS,
  );

  test('may send every request header that a preflight allows', async () => {
    const page = await browser.newPage();
    await page.goto(site.url('/index.html'));
    const status = await page.evaluate(async url => {
      const headers = { 'if-none-match': '"x"', 'last-event-id': '0', 'min-position': '0', 'x-payment': 'x' };
      return (await fetch(url, { headers })).status;
    }, `${world.url}/api/roles`);
    await page.close();
    expect(status).toBe(200);
  });
});
