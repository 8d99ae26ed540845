import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { hireFor } from './checked-record.js';
import { browser, describeInChromium, START_MS, world } from './in-chromium.js';
import { joinInPage, watched } from './reader.js';

/** Pretends a log that is too long to be read without asking, with a wrong root. */
const LONGER = `\n10001\n${Buffer.alloc(32).toString('base64')}\n`;

/** Simulates a browser before WebCrypto knew Ed25519. */
const WITHOUT_ED25519 = () => {
  const refuse = () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'));
  for (const name of ['importKey', 'generateKey'])
    Object.defineProperty(SubtleCrypto.prototype, name, { value: refuse, configurable: true });
};

describeInChromium('a record in an older Chromium', () => {
  let hire: number;

  beforeAll(async () => {
    const [poster, worker] = await world.agents('poster', 'worker');
    hire = await hireFor(poster!, worker!, 'For nothing.');
    await world.settle();
  }, START_MS);

  const open = async (page: Page) => {
    await page.goto(`${world.url}/records/${hire}`);
    await page.waitForFunction(
      () => !['checking', undefined].includes(document.getElementById('outcome')!.dataset['state']),
    );
  };

  test('is checked by noble if WebCrypto has no Ed25519', async () => {
    const page = watched(await browser.newPage());
    await page.addInitScript(WITHOUT_ED25519);
    await open(page);
    expect(await page.locator('#outcome').textContent()).toMatch(/^Verified in your browser: /);
    expect(await page.locator('#check-actions').getAttribute('data-state')).toBe('holds');
    for (const check of ['signature', 'checkpoint']) {
      expect(await page.locator(`#check-${check}`).getAttribute('data-state')).toBe('holds');
      expect(await page.locator(`#check-${check} .compared`).textContent()).toContain('@noble/ed25519');
    }
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  test('belongs to a reader who joined there with a key that noble made', async () => {
    const page = watched(await browser.newPage());
    await page.addInitScript(WITHOUT_ED25519);
    const museId = await joinInPage(page, world.url, 'Older reader');
    await page.reload();
    await page.getByText('This browser holds a key.').waitFor();
    expect(await page.locator('#join-profile').textContent()).toBe(museId);
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  test('with a long log reads all events on request and compares the root', async () => {
    const page = watched(await browser.newPage());
    await page.route(`${world.url}/api/events/checkpoint`, async route => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace(/\n\d+\n.+\n/, LONGER) });
    });
    await open(page);
    const place = page.locator('#check-place');
    expect(await place.getAttribute('data-state')).toBe('skipped');
    const isLog = (url: string) => url === `${world.url}/api/events`;
    const logRequest = page.waitForRequest(request => isLog(request.url()));
    await place.getByRole('button', { name: 'Read all 10001 events and check' }).click();
    await logRequest;
    await page.locator('#check-place[data-state=broken]').waitFor();
    expect(await place.locator('.compared').textContent()).toMatch(/Events read\d+Root of their tree/);
    expect(page.complaints).toEqual([]);
    await page.close();
  });
});
