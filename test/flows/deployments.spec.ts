import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import pino from 'pino';
import { type Service, startGateway, startService } from '#apps/gateway/service.js';
import { readArguments } from '#apps/operator/arguments.js';
import { runCommand } from '#apps/operator/commands.js';
import type { Check } from '#apps/operator/doctor/check.js';
import { PAGES } from '#libs/channels/pages/pages.js';
import { pinChainKind, pinMessageTag } from '#libs/setup/pinned-settings.js';
import { readSettings } from '#libs/setup/settings.js';
import { MemoryVault } from '../doubles/memory-vault.js';
import { type Story, tellStory } from '../face/page-story.js';
import { PURCHASES } from '../purchases.js';
import { RawAgent, type Reply, send } from '../raw-agent.js';
import { newFolder, settingsIn } from '../world.js';
import { readOffer } from '../x402.js';
import { useWorld } from '../use-world.js';

describe('the kind of a chain', () => {
  const log = pino({ level: 'silent' });
  const DEAD = 'http://127.0.0.1:9/';
  const BEGUN_WITH_DEV =
    'CHAIN: this log was started with CHAIN=dev and its payments are play money, so CHAIN=rpc cannot open it. ' +
    'Set CHAIN=dev, or start another log in another DATA_DIR.';
  let folders: { readonly dev: string; readonly rpc: string };
  beforeAll(() => {
    folders = { dev: newFolder(), rpc: newFolder() };
    writeFileSync(join(folders.rpc, 'relayer.key'), `${Wallet.createRandom().privateKey}\n`, { mode: 0o600 });
  });
  afterAll(() => {
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true });
  });

  const dev = (folder: string) => readSettings(settingsIn(folder));
  function rpc(folder: string) {
    const chain = { CHAIN: 'rpc', BASE_RPC_URL: DEAD, SERVICE_WALLET: Wallet.createRandom().address };
    const only = { RATE_LIMITS: '', TEST_CLOCK_FILE: '', RELAYER_KEY_FILE: join(folders.rpc, 'relayer.key') };
    return readSettings({ ...settingsIn(folder), ...chain, ...only });
  }

  test('refuses to open the log of a development chain with CHAIN=rpc', async () => {
    await (await startService(dev(folders.dev), log)).stop();
    await expect(startService(rpc(folders.dev), log)).rejects.toThrow(BEGUN_WITH_DEV);
    await (await startService(dev(folders.dev), log)).stop();
  });

  test('refuses to open the log of a real chain with CHAIN=dev', async () => {
    await (await startService(rpc(folders.rpc), log)).stop();
    await expect(startService(dev(folders.rpc), log)).rejects.toThrow(/started with CHAIN=rpc .* real money/);
    await (await startService(rpc(folders.rpc), log)).stop();
  });

  test('lets the doctor name the other CHAIN', async () => {
    const { json } = await runCommand(readArguments(['doctor'])!, rpc(folders.dev));
    const { checks } = json as { readonly checks: readonly Check[] };
    expect(checks.map(({ sentence }) => sentence)).toContainEqual(expect.stringContaining(BEGUN_WITH_DEV));
  });

  test('keeps the chain kind of the first of two gateways that start together', async () => {
    const vault = new MemoryVault();
    const kinds = await Promise.allSettled([pinChainKind(vault, 'dev'), pinChainKind(vault, 'rpc')]);
    expect(kinds.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });
});

describe('play money', () => {
  interface Receipt {
    readonly kind: string;
    readonly data: { readonly url: string; readonly play_money: boolean; readonly tx: string };
  }

  const PAGE = { accept: 'text/html' };
  const world = useWorld();
  let story: Story;
  beforeAll(async () => {
    story = await tellStory(world);
  });

  const pageAt = async (path: string) => {
    const response = await fetch(world.url + path, { headers: PAGE });
    return { status: response.status, text: await response.text() };
  };

  describe('a development chain is marked as play money', () => {
    test.each(PAGES.map(({ path }) => path))('on the page %s', async path => {
      const { status, text } = await pageAt(path.replace(/:(\w+)/g, (_all, name: keyof Story) => story[name]));
      expect(status).toBe(200);
      expect(text).toMatch(/Play money/);
      expect(text).not.toMatch(/basescan|blockscout/);
    });

    test('on the page of an unknown address', async () => {
      const { status, text } = await pageAt('/nothing');
      expect([status, /Play money/.test(text)]).toEqual([404, true]);
    });

    test('in every receipt, which links to a page of the service', async () => {
      const shown = (reply: Reply, list: string) =>
        (reply.body[list] as unknown as Receipt[]).filter(({ kind }) => kind === 'receipt');
      const receipts = [
        ...shown(await send(world.url, '/api/feed?kind=hires'), 'items'),
        ...shown(await send(world.url, `/api/muse/${story['id']}`), 'receipts'),
      ];
      expect(receipts.length).toBeGreaterThan(1);
      for (const { data } of receipts) {
        expect(data).toMatchObject({ play_money: true, url: `${world.url}/records/${story['hire']}` });
        const { status, text } = await pageAt(new URL(data.url).pathname);
        expect([status, text.includes(data.tx)]).toEqual([200, true]);
      }
    });

    test('in the receipt for the payer of a wage, also on a retry', async () => {
      const purchase = await PURCHASES['pay']!(world, 'usdc-base');
      const payment = await purchase.sign();
      for (const reply of [
        await purchase.payUntilSettled(payment),
        await purchase.pay(payment),
        await purchase.offer(),
      ]) {
        const { data } = reply.body['receipt'] as unknown as Receipt;
        expect(data).toMatchObject({ play_money: true, url: expect.stringContaining(`${world.url}/records/`) });
      }
    });

    test('in every offer, in header and body', async () => {
      for (const path of ['/api/verify', '/api/identity', '/api/promote']) {
        const reply = await send(world.url, path, { body: {} });
        const resource = { description: expect.stringMatching(/Play money/) as unknown };
        expect(reply.body).toMatchObject({ play_money: true, accepts: [resource] });
        expect(readOffer(reply)).toMatchObject({ play_money: true, resource });
      }
    });
  });
});

describe('MESSAGE_TAG', () => {
  const log = pino({ level: 'silent' });
  const OTHER = { MESSAGE_TAG: 'other-v1', DRIFT_CHECK_SECONDS: '60' };
  const REFUSED = 'MESSAGE_TAG: "other-v1" is not the tag of this log: its signed messages begin with "service-v1".';

  let folder: string;
  let service: Service;
  beforeAll(async () => {
    folder = newFolder();
    service = await startService(settingsWith(), log);
    const agent = new RawAgent(`http://127.0.0.1:${new URL(service.url).port}`);
    await agent.register('Signer');
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  const settingsWith = (more: object = {}) => readSettings({ ...settingsIn(folder), ...more });
  const operator = (argv: readonly string[]) =>
    runCommand(readArguments(argv)!, settingsWith({ ...OTHER, PORT: new URL(service.url).port }));

  test('a second gateway with another tag does not start, whatever its other settings', async () => {
    await expect(startGateway(settingsWith(OTHER), log)).rejects.toThrow(REFUSED);
    const { MESSAGE_TAG: _tag, ...more } = OTHER;
    const joined = await startGateway(settingsWith(more), log);
    await joined.stop();
  });

  test('an operator with another tag is refused before signing; the doctor reports it', async () => {
    await expect(operator(['hire', 'greeter', 'agent_1a2b3c4d5e'])).rejects.toThrow(REFUSED);
    const { checks } = (await operator(['doctor'])).json as { readonly checks: readonly Check[] };
    expect(checks.filter(({ ok }) => !ok).map(({ sentence }) => sentence)).toContainEqual(
      expect.stringContaining(REFUSED),
    );
  });

  test('the tag may change at each start until a request is signed', async () => {
    const vault = new MemoryVault();
    const logOf = (...modes: string[]) => ({
      readAll: async () => ({ events: modes.map(mode => ({ authorization: { mode } }) as never), next: '' }),
    });
    await pinMessageTag(vault, logOf(), 'service-v1');
    await pinMessageTag(vault, logOf('service', 'bearer'), 'jobs-v1');
    await pinMessageTag(vault, logOf('service', 'signature'), 'jobs-v1');
    const again = pinMessageTag(vault, logOf('service', 'signature'), 'service-v1');
    await expect(again).rejects.toThrow('begin with "jobs-v1"');
  });
});
