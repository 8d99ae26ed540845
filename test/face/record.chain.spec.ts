import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { JsonObject } from '#libs/kernel/json.js';
import { findFreePort } from '#libs/payments/devchain/processes.js';
import { hireFor } from './checked-record.js';
import { browser, describeWithSettings, START_MS, world } from './in-chromium.js';

/** The nodes of the development chain. */
const ports = [await findFreePort(), await findFreePort()];
const [node, other] = ports.map(port => `http://127.0.0.1:${port}/`) as [string, string];

describeWithSettings({ DEV_CHAIN_PORTS: ports.join() }, 'the payment of a record in Chromium', () => {
  const hires: number[] = [];

  beforeAll(async () => {
    const [poster, worker] = await world.agents('poster', 'worker');
    for (const rail of ['usdc-base', 'usdg-robinhood'] as const)
      hires.push(await hireFor(poster!, worker!, 'Me.', rail));
    await world.settle();
  }, START_MS);

  const transactionOf = async (hire: number) => {
    const { record } = await world.reader().hireRecord({ hire });
    return ((JSON.parse(record.payload) as JsonObject)['payment'] as JsonObject)['tx'] as string;
  };

  /** Returns the result of the payment check and the errors of the page. */
  async function paymentOf(hire: number, before: (page: Page) => Promise<unknown> = async () => undefined) {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', message => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', error => complaints.push(String(error)));
    await before(page);
    await page.goto(`${world.url}/records/${hire}`);
    const line = page.locator('#check-payment:not([data-state=idle]):not([data-state=checking])');
    await line.waitFor({ state: 'attached' });
    const state = await line.getAttribute('data-state');
    const [compared, because] = [
      await line.locator('.compared').textContent(),
      await line.locator('.because').textContent(),
    ];
    await page.close();
    return { state, compared, because, complaints };
  }

  /** Runs before the modules of the page. */
  const removeNodes = () =>
    document.addEventListener('readystatechange', () => document.querySelector('meta[name=browser-rpc]')?.remove());

  /** Changes the responses of the node. */
  const answering = (change: (result: JsonObject) => JsonObject | null) => (page: Page) =>
    page.route(node, async route => {
      const response = await route.fetch();
      const { result, ...rest } = (await response.json()) as { readonly result: JsonObject };
      await route.fulfill({ response, json: { ...rest, result: change(result) } });
    });

  test('is found on either development chain without a setting', async () => {
    for (const [at, address] of [node, other].entries()) {
      const { state, compared, complaints } = await paymentOf(hires[at]!);
      expect([state, complaints]).toEqual(['holds', []]);
      expect(compared).toContain(`Node${new URL(address).host}`);
      expect(compared).toContain(await transactionOf(hires[at]!));
    }
  });

  test('is not checked without a node that browsers reach', async () => {
    const { state, because, complaints } = await paymentOf(hires[0]!, page => page.addInitScript(removeNodes));
    expect([state, complaints]).toEqual(['skipped', []]);
    expect(because).toContain('on the machine of the service only');
  });

  test.each([
    ['knows no such transaction', () => null, 'does not know the transaction'],
    ['has it in another block', (receipt: JsonObject) => ({ ...receipt, blockNumber: '0x1' }), 'It is in block 1, not'],
    ['has no transfer in it', (receipt: JsonObject) => ({ ...receipt, logs: [] }), 'does not transfer this amount'],
  ] as const)('fails its check if the chain %s', async (_what, change, sentence) => {
    const { state, because } = await paymentOf(hires[0]!, answering(change));
    expect([state, because]).toEqual(['broken', expect.stringContaining(sentence)]);
  });

  test('cannot be checked if the node does not respond', async () => {
    const { state, because } = await paymentOf(hires[0]!, page => page.route(node, route => route.abort()));
    expect([state, because]).toEqual(['unchecked', expect.stringContaining('did not answer')]);
  });
});
