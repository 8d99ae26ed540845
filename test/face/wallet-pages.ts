import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { World } from '../world.js';
import { CHROMIUM } from './chromium.js';
import { InjectedWallet } from './injected-wallet.js';
import { watched } from './reader.js';

const START_MS = 120_000;

/** A service and a browser for a block of tests, with a new reader and a funded wallet for each test. */
export class WalletPages {
  world!: World;
  browser!: Browser;
  /** Reader of the current test. The wallet is in its pages after `enterWallet`. */
  context!: BrowserContext;
  wallet!: InjectedWallet;

  /** Registers the hooks of a block of tests. `settings` are read when the service starts. */
  static forEach(settings: () => Promise<{ readonly [name: string]: string }> = async () => ({})): WalletPages {
    const pages = new WalletPages();
    beforeAll(async () => {
      pages.world = await World.start({ settings: await settings() });
      pages.browser = await chromium.launch({ executablePath: CHROMIUM });
    }, START_MS);
    afterAll(async () => {
      await (pages.browser as Browser | undefined)?.close();
      await (pages.world as World | undefined)?.stop();
    });
    beforeEach(async () => {
      pages.context = await pages.browser.newContext();
      pages.wallet = new InjectedWallet();
      await pages.world.fund(pages.wallet.account.address);
    });
    afterEach(() => pages.context.close());
    return pages;
  }

  /** Injects the wallet into new pages, announced as `name`. */
  enterWallet(name?: string): Promise<void> {
    return this.wallet.enter(this.context, name);
  }

  /** Opens a page of the reader that collects its errors. */
  async open(): Promise<Page & { complaints: string[] }> {
    return watched(await this.context.newPage());
  }
}
