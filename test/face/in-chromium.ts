import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';
import { OutsideChain } from '../outside-chain.js';
import { CLEAN, World, type WorldOptions } from '../world.js';
import { CHROMIUM, HAS_CHROMIUM, titled } from './chromium.js';

export const START_MS = 120_000;

/** The service and the browser of the tests in a file. */
export let world: World;
export let browser: Browser;

type Settings = { readonly [name: string]: string };

/** Declares a block of tests with a service and a browser. The last test audits the log. */
export const describeInChromium = (title: string, declareTests: () => void): void =>
  describeWithOptions(() => ({}), title, declareTests);

export const describeWithSettings = (settings: Settings, title: string, declareTests: () => void): void =>
  describeWithOptions(() => ({ settings }), title, declareTests);

/** Declares tests of pages that pay with wallets of the browser, which they do not on a development chain. */
export function describeWithRealMoney(title: string, declareTests: () => void): void {
  let outside: OutsideChain;
  if (HAS_CHROMIUM) beforeAll(async () => void (outside = await OutsideChain.start()), START_MS);
  describeWithOptions(() => ({ settings: outside.settings, chain: outside.chain }), title, declareTests);
  afterAll(() => (outside as OutsideChain | undefined)?.stop());
}

function describeWithOptions(options: () => WorldOptions, title: string, declareTests: () => void): void {
  (HAS_CHROMIUM ? describe : describe.skip)(titled(title), () => {
    beforeAll(async () => {
      world = await World.start(options());
      browser = await chromium.launch({ executablePath: CHROMIUM });
    }, START_MS);

    afterAll(async () => {
      // Undefined if its start failed.
      await (browser as Browser | undefined)?.close();
      await (world as World | undefined)?.stop();
    });

    declareTests();

    test(`the log of ${titled(title)} passes the audit`, async () => expect(await world.audit()).toEqual(CLEAN));
  });
}
