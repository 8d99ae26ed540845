import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { findFreePort } from '#libs/payments/devchain/processes.js';
import { hireFor } from './checked-record.js';
import { describeWithSettings, world } from './in-chromium.js';
import { InjectedWallet } from './injected-wallet.js';
import { WalletReader } from './wallet-reader.js';

const ports = [await findFreePort(), await findFreePort()];
const [base, robinhood] = ports.map(port => `http://127.0.0.1:${port}/`) as [string, string];
const SETTINGS = { DEV_CHAIN_PORTS: ports.join(), BASE_BROWSER_RPC: base };

describeWithSettings(SETTINGS, 'the payment of a record, checked by a wallet', () => {
  const reader = WalletReader.forEach();
  let hire: number;

  beforeAll(async () => {
    const [poster, worker] = await world.agents('poster', 'worker');
    hire = await hireFor(poster!, worker!, 'Me.', 'usdc-base');
    await world.settle();
  });

  beforeEach(() => {
    reader.wallet.node = base;
  });

  /** Runs before the modules of the page. */
  const removePlayMoney = () =>
    document.addEventListener('readystatechange', () => document.querySelector('meta[name=play-money]')?.remove());

  /** Returns the result of the payment check and the requests to the node of the service. */
  async function payment(isPlayMoney = false) {
    const page = await reader.open();
    // Pages of a development chain ask no wallet, so these pages say nothing of it.
    if (!isPlayMoney) await page.addInitScript(removePlayMoney);
    const requests: string[] = [];
    page.on('request', request => request.url() === base && requests.push(request.method()));
    await page.goto(`${world.url}/records/${hire}`);
    const line = page.locator('#check-payment:not([data-state=idle]):not([data-state=checking])');
    await line.waitFor({ state: 'attached' });
    const partText = async (part: string) => (await line.locator(part).textContent())!;
    const result = { state: await line.getAttribute('data-state'), compared: await partText('.compared') };
    return { ...result, because: await partText('.because'), requests, complaints: page.complaints };
  }

  test.each([
    ['injects itself', undefined],
    ['announces itself', 'Announced'],
  ])('is found only by a wallet on its chain that %s', async (_how, name) => {
    await reader.enterWallet(name);
    const { state, compared, requests, complaints } = await payment();
    expect([state, requests, complaints]).toEqual(['holds', [], []]);
    expect(compared).toContain('Nodeyour wallet');
    // The wallet must not be asked for anything that needs the consent of its owner.
    expect(reader.wallet.asked).toEqual(['eth_chainId', 'eth_getTransactionReceipt']);
  });

  test('is not looked up by a wallet on another chain', async () => {
    reader.wallet.chainId = 4663;
    await reader.enterWallet();
    const { state, compared } = await payment();
    expect([state, reader.wallet.asked]).toEqual(['holds', ['eth_chainId']]);
    expect(compared).toContain(`Node${new URL(base).host}`);
  });

  test('is looked up by the one of several wallets that is on its chain', async () => {
    const other = new InjectedWallet();
    other.chainId = 1;
    await other.enter(reader.context, 'Other');
    await reader.enterWallet('Own');
    expect(await payment()).toMatchObject({ state: 'holds', requests: [] });
    expect([other.asked, reader.wallet.asked.at(-1)]).toEqual([['eth_chainId'], 'eth_getTransactionReceipt']);
  });

  test('is not checked if the wallet is on another chain with its id', async () => {
    reader.wallet.node = robinhood;
    await reader.enterWallet();
    const { state, because } = await payment();
    expect([state, because]).toEqual(['unchecked', expect.stringContaining('does not know the transaction')]);
  });

  test('is looked up at the node of the service alone on a development chain', async () => {
    await reader.enterWallet();
    const { state, compared } = await payment(true);
    expect([state, reader.wallet.asked]).toEqual(['holds', []]);
    expect(compared).toContain(`Node${new URL(base).host}`);
  });

  test.each([
    ['an error', false, 'User rejected the request.'],
    ['a plain object', true, 'It gave no reason.'],
  ])('cannot be checked if the wallet rejects with %s', async (_what, isPlain, reason) => {
    reader.wallet.isPlain = isPlain;
    reader.wallet.refuses.add('eth_getTransactionReceipt');
    await reader.enterWallet();
    const { state, because, complaints } = await payment();
    expect([state, because]).toEqual(['unchecked', `your wallet did not answer: ${reason}`]);
    expect(complaints).toEqual([]);
  });

  test('is looked up at the node of the service if a wallet does not name its chain', async () => {
    reader.wallet.isSilent = true;
    await reader.enterWallet();
    const { state, compared } = await payment();
    expect(state).toBe('holds');
    expect(compared).toContain(`Node${new URL(base).host}`);
  });
});
