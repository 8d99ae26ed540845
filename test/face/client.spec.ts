import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';
import { clientIn, installClient, lastLine, LONG_MS, programOf, run } from '../packed/installing.js';
import { browser, describeInChromium, world } from './in-chromium.js';
import { Site } from './site.js';

/** All imports of the client; ethers is a single file in browsers. */
const IMPORTED = ['@agent-job-network/client', '@noble/ed25519', '@noble/hashes/sha2.js', '@scure/base'];
const ETHERS = '/node_modules/ethers/dist/ethers.min.js';
const DONE = 'The program is at its end.';
const PAGE_MS = 30_000;

describeInChromium('the packed client in Chromium', () => {
  let folder: string;
  let user: string;
  let site: Site;
  /** Keeps the storage of pages between them. */
  let context: BrowserContext;
  let imports: { readonly [specifier: string]: string };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'face-'));
    user = await installClient(folder, world.url);
    imports = await importMap();
    site = await Site.of(user);
    context = await browser.newContext();
  }, LONG_MS);

  afterAll(async () => {
    // Undefined if its start failed.
    await (site as Site | undefined)?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Builds an import map from the paths that Node resolves. */
  async function importMap() {
    const names = JSON.stringify(IMPORTED);
    const program = `console.log(JSON.stringify(${names}.map(name => [name, import.meta.resolve(name)])))`;
    const { stdout } = await run(user, process.execPath, ['--input-type=module', '--eval', program]);
    const resolved = (JSON.parse(lastLine(stdout)) as [string, string][]).map(([name, url]) => {
      const path = new URL(url).pathname;
      return [name, path.slice(path.indexOf('/node_modules/'))] as const;
    });
    return { ...Object.fromEntries(resolved), ethers: ETHERS };
  }

  /** Runs a module in a page and returns its log lines. Fails if the page reports an error. */
  async function inPage(name: string, program: string): Promise<string[]> {
    writeFileSync(join(user, `${name}.mjs`), `${program}\nconsole.log('${DONE}');\n`);
    const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
    const page = `<!doctype html><title>${name}</title>${map}<script type="module" src="/${name}.mjs"></script>`;
    writeFileSync(join(user, `${name}.html`), page);
    const opened = await context.newPage();
    const lines: string[] = [];
    const ended = new Promise<void>((resolve, reject) => {
      opened.on('pageerror', reject);
      opened.on('console', message => (message.text() === DONE ? resolve() : lines.push(message.text())));
      setTimeout(() => reject(new Error(`The page did not end: ${lines.join('\n')}`)), PAGE_MS).unref();
    });
    await opened.goto(site.url(`/${name}.html`));
    await ended;
    await opened.close();
    return lines;
  }

  const service = () => `const service = '${world.url}';\n`;

  test('the program of the README pays as it does in Node', async () => {
    const program = programOf(join(clientIn(user), 'README.md'), 'pay.mjs');
    const here = program.replace('https://network.example', world.url);
    expect(here).not.toBe(program);
    const lines = await inPage('pay', here);
    const complaints = lines.filter(line => !line.startsWith('Failed to load resource'));
    expect(complaints).toEqual([
      expect.stringMatching(/^job-\d+ \{.*amount: 1500000/),
      expect.stringMatching(/^This costs 15 USD, above the cap of 2 USD/),
    ]);
  }, 60_000);

  /** A minimal IndexedDB store for a key between two visits. */
  const store = `
    const opening = indexedDB.open('keys', 1);
    const done = request => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
    const database = await done(opening);
    const keys = () => database.transaction('keys', 'readwrite').objectStore('keys');`;

  test('a page signs with a WebCrypto key that it cannot read, also at the next visit', async () => {
    const [made] = await inPage(
      'sign',
      `import { AgentClient } from '@agent-job-network/client';
       ${service()} ${store}
       const first = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
       const ada = await AgentClient.withWebCrypto(service, first);
       await ada.register({ name: 'Ada of a page', headline: 'signs in a browser' });
       await ada.join({ headline: 'signs in a browser' });
       const keyPair = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
       const later = await ada.withNewKey(keyPair);
       await done(keys().put({ keyPair, museId: later.museId }, 'ada'));
       console.log(JSON.stringify({ museId: later.museId, seed: later.seed }));`,
    );
    const { museId, seed } = JSON.parse(made!) as { museId: string; seed: unknown };
    expect(seed).toBeNull();
    const output = await inPage(
      'visit',
      `import { AgentClient } from '@agent-job-network/client';
       ${service()} ${store}
       const { keyPair, museId } = await done(keys().get('ada'));
       const ada = await AgentClient.withWebCrypto(service, keyPair, { museId });
       const { auth, muse_id } = await ada.whoami();
       console.log(JSON.stringify([auth, muse_id, keyPair.privateKey.extractable]));
       const job = { title: 'Say hello', summary: 'One friendly line, in French.', done: 'it says hello' };
       const { role } = await ada.job(job);
       const error = await ada.apply({ role, note: 'Me.' }).catch(error => error);
       console.log(JSON.stringify([error.name, error.code, error.status]));`,
    );
    const lines = output.filter(line => line.startsWith('[')).map(line => JSON.parse(line) as unknown);
    expect(lines).toEqual([
      ['signature', museId, false],
      ['ApiError', 'own_job', 403],
    ]);
  }, 60_000);
});
