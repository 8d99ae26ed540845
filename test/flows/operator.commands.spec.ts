import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import pino from 'pino';
import { type Service, startService } from '#apps/gateway/service.js';
import { readArguments } from '#apps/operator/arguments.js';
import { runCommand } from '#apps/operator/commands.js';
import { reset as resetFolder } from '#apps/operator/reset.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { DEV_SMART_WALLET } from '#libs/payments/devchain/accounts.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { writeAddress } from '#libs/setup/address-file.js';
import { readSettings } from '#libs/setup/settings.js';
import { lockDataFolder, shareDataFolder } from '#libs/setup/data-folder.js';
import { UsageError } from '#libs/terminal/command-line.js';
import { type RawAgent, send } from '../raw-agent.js';
import { newFolder } from '../world.js';
import { operatorBeside, settingsBeside } from './operator-beside.js';
import { useWorld } from '../use-world.js';

describe('the house', () => {
  const world = useWorld();
  let worker: RawAgent;
  const role = { slug: 'greeter', title: 'Greet a newcomer', summary: 'Say hello to a newcomer.', done: 'A kind post' };
  beforeAll(async () => {
    worker = await world.raw('worker');
    writeAddress(settingsBeside(world), world.url);
    const file = join(world.folder, 'house.json');
    writeFileSync(file, JSON.stringify([{ ...role, budget_usd: '3', rail: 'usdc-base' }]));
    await operator('roles', file);
  });

  const operator = (...argv: string[]) => operatorBeside(world, argv, { CHAIN: 'dev' });

  test('reports each of its actions in a sentence, from the hire to the wage', async () => {
    await worker.post('apply', { role: 'greeter', note: 'I greet in three languages.' });
    const hired = await operator('hire', 'greeter', worker.museId, '--reason', 'The first one.');
    const { hire } = hired.json as { readonly hire: number };
    expect(hired.json).not.toHaveProperty('ignored');
    expect(hired.text).toBe(`Hired ${worker.museId} for 3 USDC: hire ${hire}.`);
    await worker.post('deliver', { hire: String(hire), url: world.page('hello') });
    expect((await operator('accept', String(hire))).text).toBe('Accepted.');
    const paid = await operator('pay', String(hire));
    const { tx } = (paid.json as { readonly payment: { readonly tx: string } }).payment;
    expect(paid.text).toBe(`The wage is paid. Paid with ${tx} on base.`);
    expect((await operator('pay', String(hire))).text).toBe('The wage was paid before.');
    expect((await operator('close', 'greeter')).text).toBe('greeter is closed.');
    const poster_stats = { jobs: 1, applications: 1, hires: 1, deliveries: 1, paid: 1, unpaid: 0, disputed: 0 };
    expect(await world.read('/api/role/greeter')).toMatchObject({ role: { poster_stats } });
    expect(await world.read(`/api/muse/${SYSTEM_ACCOUNT_ID}`)).toMatchObject({ muse: { poster_stats } });
  });

  test('funds the deployed contract wallet of the development chain, and any other', async () => {
    expect(await world.token('usdc-base').call('eth_getCode', DEV_SMART_WALLET, 'latest')).not.toBe('0x');
    const had = await world.token('usdc-base').balanceOf(DEV_SMART_WALLET);
    expect((await operator('faucet')).text).toMatch(`${DEV_SMART_WALLET} has 1000 USD on `);
    expect(await world.token('usdc-base').balanceOf(DEV_SMART_WALLET)).toBe(had + 1_000_000_000n);
    expect((await operator('faucet', worker.wallet.address)).json).toMatchObject({ wallet: worker.wallet.address });
  });

  test('signs with the time of a service whose clock was moved', async () => {
    await world.advance(3 * DAY_MS);
    expect((await operator('close', 'greeter')).text).toBe('greeter is closed.');
  });

  test('refuses a hire id that is not an integer before any request', async () => {
    for (const command of ['accept', 'pay']) await expect(operator(command, 'greeter')).rejects.toThrow(UsageError);
  });

  test('says at once that no service responds, and what to do', async () => {
    await expect(operatorBeside(world, ['close', 'greeter'], { PORT: '1' })).rejects.toThrow(
      /^No service answers at http:\/\/127\.0\.0\.1:1: start it with .*, or set PORT to where it listens\.$/,
    );
  });
});

describe('a reset', () => {
  const folder = newFolder();

  const settingsWith = (more: object = {}) =>
    readSettings({ PORT: '0', DATA_DIR: join(folder, 'data'), DEV_CHAIN_PORTS: '0,0', ...more });

  const reset = async (argv: readonly string[], more: object = {}) =>
    (await runCommand(readArguments(['reset', ...argv])!, settingsWith(more))).json;

  async function issuerKeys({ url }: Service): Promise<unknown> {
    const answer = await fetch(`${url}/.well-known/service-issuer.json`);
    return ((await answer.json()) as { readonly keys: unknown }).keys;
  }

  describe('the command', () => {
    test('removes the data after confirmation while no service runs', async () => {
      const settings = settingsWith();
      const before = await startService(settings, pino({ level: 'silent' }));
      const keys = await issuerKeys(before);
      writeAddress(settings, before.url);
      await expect(resetFolder(settings, false)).rejects.toThrow('Add --yes to confirm.');
      await expect(reset(['--yes'])).rejects.toThrow(`A service answers at ${before.url}: stop it.`);
      await before.stop();
      const unlock = lockDataFolder(settings.dataDir);
      await expect(reset(['--yes'])).rejects.toThrow('Another service already runs on');
      unlock();
      const parts = [shareDataFolder(settings), shareDataFolder(settings)];
      await expect(reset(['--yes'])).rejects.toThrow('Another service already runs on');
      for (const end of parts) end();
      expect(existsSync(join(settings.dataDir, 'events.db'))).toBe(true);
      expect(await reset(['--yes'])).toMatchObject({ ok: true, left: [] });
      const after = await startService(settings, pino({ level: 'silent' }));
      expect(await issuerKeys(after)).not.toEqual(keys);
      await after.stop();
    });

    test.each([
      [
        {
          CHAIN: 'rpc',
          BASE_RPC_URL: 'http://127.0.0.1:1',
          RELAYER_KEY_FILE: 'k',
          SERVICE_WALLET: `0x${'1'.repeat(40)}`,
        },
      ],
      [{ EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' }],
      [{ VAULT: 'mongodb', MONGODB_URL: 'mongodb://127.0.0.1:1/jobs' }],
    ])('refuses all but a development folder: %j', async more => {
      await expect(reset(['--yes'], more)).rejects.toThrow(/^reset only works with /);
    });
  });
});

describe('the roles of the house', () => {
  const world = useWorld();
  beforeAll(async () => {
    writeAddress(settingsBeside(world), world.url);
  });

  const greeter = {
    slug: 'greeter',
    title: 'Greet a newcomer',
    summary: 'Say hello to a newcomer.',
    done: 'A kind post',
  };
  const scout = { ...greeter, slug: 'scout', title: 'Look around', skills: ['search'] };

  async function keep(roles: readonly object[], ...more: string[]): Promise<JsonObject> {
    const file = join(world.folder, 'kept.json');
    writeFileSync(file, JSON.stringify(roles));
    return (await operatorBeside(world, ['roles', file, ...more])).json as JsonObject;
  }

  const shown = async (query = '') =>
    ((await send(world.url, `/api/roles${query}`)).body['roles'] as JsonObject[]).map(({ slug, title }) => [
      slug,
      title,
    ]);

  test('a file posts, changes and closes roles, and a dry run changes nothing', async () => {
    await keep([greeter], '--dry-run');
    expect(await shown()).toEqual([]);
    expect(await keep([greeter, scout])).toMatchObject({ posted: ['greeter', 'scout'], updated: [], closed: [] });
    expect(await keep([greeter, scout])).toMatchObject({ posted: [], updated: [], closed: [] });
    expect(await keep([{ ...greeter, title: 'Head greeter' }])).toMatchObject({
      updated: ['greeter'],
      closed: ['scout'],
    });
    expect(await shown()).toEqual([['greeter', 'Head greeter']]);
    const posted = (await world.events()).find(({ stream }) => stream === 'job-greeter');
    const reason = 'the file of the house’s roles';
    expect(posted).toMatchObject({ actor: SYSTEM_ACCOUNT_ID, authorization: { mode: 'operator', reason } });
  });

  test('a role that was closed by hand stays closed, with a note to the operator', async () => {
    const beside = (...argv: string[]) => operatorBeside(world, argv);
    await keep([greeter, scout]);
    await beside('close', 'scout', '--reason', 'We have looked.');
    const file = join(world.folder, 'kept.json');
    const kept = await beside('roles', file);
    expect(kept.json).toMatchObject({ stay_closed: [{ role: 'scout', reason: 'closed' }] });
    expect(kept.text).toContain('scout was closed by hand and stays closed. To open it as a new job, change its slug.');
    expect(await keep([greeter])).toMatchObject({ closed: [], stay_closed: [] });
    expect(await keep([{ ...greeter, title: 'Head greeter' }])).toMatchObject({
      updated: ['greeter'],
      stay_closed: [],
    });
  });

  test('the roles of the house are found by the id of the house', async () => {
    const job = { title: 'A job', summary: 'Twenty characters at least.', done: 'a thing is done' };
    await (await world.raw('poster')).post('job', job);
    expect(await shown(`?poster=${SYSTEM_ACCOUNT_ID}`)).toEqual([['greeter', 'Head greeter']]);
    expect(await shown(`?poster=${SYSTEM_ACCOUNT_ID}&all=1`)).toHaveLength(2);
  });

  test('the log has the given reason for each role', async () => {
    const file = join(world.folder, 'why.json');
    writeFileSync(file, JSON.stringify([greeter, { ...scout, slug: 'guide' }]));
    await operatorBeside(world, ['roles', file, '--reason', 'More guests come.']);
    const posted = (await world.events()).find(({ stream }) => stream === 'job-guide');
    expect(posted).toMatchObject({ authorization: { mode: 'operator', reason: 'More guests come.' } });
    expect(await keep([greeter])).toMatchObject({ closed: ['guide'] });
  });
});
