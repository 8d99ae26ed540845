import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { World } from '../world.js';
import { CHROMIUM } from './chromium.js';
import { InjectedWallet } from './injected-wallet.js';
import { watched } from './reader.js';

const START_MS = 120_000;

/** A service and a browser for the tests of a block, and for each of these a reader of its own with a filled wallet. */
export class WalletPages {
  world!: World;
  browser!: Browser;
  /** Of the test that runs; one may take another. The wallet is in its pages once it has entered it. */
  context!: BrowserContext;
  wallet!: InjectedWallet;

  /** To be called where the tests are declared. `settings`: of the service, as they are once it starts. */
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

  /** Puts the wallet into the pages that are opened from now on. `name`: under which it announces itself. */
  enterWallet(name?: string): Promise<void> {
    return this.wallet.enter(this.context, name);
  }

  /** A new page of the reader, which remembers what it complains of. */
  async open(): Promise<Page & { complaints: string[] }> {
    return watched(await this.context.newPage());
  }
}
