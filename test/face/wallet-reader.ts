import { afterEach, beforeEach } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { browser, world } from './in-chromium.js';
import { InjectedWallet } from './injected-wallet.js';
import { watched } from './reader.js';

/** A new reader with a funded wallet for each test. */
export class WalletReader {
  /** The wallet is in its pages after `enterWallet`. */
  context!: BrowserContext;
  wallet!: InjectedWallet;

  /** Registers the hooks of a block of tests. */
  static forEach(): WalletReader {
    const reader = new WalletReader();
    beforeEach(async () => {
      reader.context = await browser.newContext();
      reader.wallet = new InjectedWallet();
      await world.fund(reader.wallet.account.address);
    });
    afterEach(() => reader.context.close());
    return reader;
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

/** Names of what a page has left in the storage of the browser, beside the name of the reader. */
export const leftIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => Object.keys(localStorage).filter(name => !name.startsWith('name:')));

/** Keeps the answer of a paid request from the page. Resolves once the service has executed the request. */
export const loseAnswer = (page: Page, path: string): Promise<void> =>
  new Promise(resolve => {
    void page.route(world.url + path, async route => {
      if (!route.request().headers()['payment-signature']) return route.continue();
      await route.fetch();
      resolve();
    });
  });
