import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addressOf, ENVIRONMENT } from '../docs/shell.js';
import {
  clientIn,
  dependencies,
  hireAndWait,
  installClient,
  lastLine,
  LONG_MS,
  postJob,
  programOf,
  ROOT,
  run,
} from './installing.js';

const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

let folder: string;
let child: ChildProcess | undefined;
let url: string;

const command = () => join(folder, 'global', 'bin', 'agent-job-network');
const network = (...argv: string[]) =>
  run(join(folder, 'elsewhere'), command(), argv, { XDG_CONFIG_HOME: join(folder, 'config') });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packed-'));
  mkdirSync(join(folder, 'elsewhere'));
  const packed = await run(ROOT, 'npm', ['pack', '--pack-destination', folder]);
  const globally = ['--global', '--prefix', join(folder, 'global'), '--prefer-offline', '--no-audit', '--no-fund'];
  await run(folder, 'npm', ['install', ...globally, join(folder, lastLine(packed.stdout))]);
  child = spawn(command(), ['start'], { cwd: join(folder, 'elsewhere'), env: ENVIRONMENT });
  url = await addressOf(child);
}, LONG_MS);

afterAll(async () => {
  child?.kill();
  await new Promise(resolve => (child ? child.once('exit', resolve) : resolve(null)));
  rmSync(folder, { recursive: true, force: true });
});

test('the installed project starts, plays the demo and passes its checks anywhere', async () => {
  expect(lastLine((await network('demo')).stdout)).toContain('The story succeeded');
  expect(JSON.parse((await network('operator', 'status', '--json')).stdout)).toMatchObject({ ok: true });
  expect((await network('auditor', 'verify', '--from', url)).stdout).toContain('Nothing is wrong.');
  expect((await network('--help')).stdout).toContain('auditor');
  await expect(network('strat')).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('start') });
}, 120_000);

test('the installed project has the command line of an agent with shell completion', async () => {
  const joined = await network('agent', 'join', '--name', 'Ada', '--service', url, '--json');
  const { muse_id } = JSON.parse(joined.stdout) as { muse_id: string };
  expect((await network('agent', 'whoami')).stdout).toContain(muse_id);
  const completed = async (...argv: string[]) =>
    (await network('complete', '--', ...argv)).stdout.split('\n').flatMap(line => line.split('\t').slice(0, -1));
  expect(await completed('op')).toEqual(['operator']);
  expect(await completed('operator', 'stat')).toEqual(['status', 'statement']);
  expect(await completed('agent', 'jo')).toEqual(['join', 'jobs', 'job']);
  expect(await completed('auditor', 'verify', '--rec')).toEqual(['--records']);
  expect(await completed('agent', 'job', '--rail', '')).toEqual(['usdc-base', 'usdg-robinhood']);
  for (const shell of ['bash', 'zsh', 'fish', 'powershell'])
    expect((await network('complete', shell)).stdout).toContain('agent-job-network');
  await expect(network('complete', 'tcsh')).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('fish') });
}, 60_000);

describe('the client that npm installs from the address of the service', () => {
  let user: string;
  beforeAll(async () => {
    user = await installClient(folder, url);
  }, LONG_MS);

  const runProgram = async (name: string) => {
    writeFileSync(join(user, name), programOf(join(clientIn(user), 'README.md'), name));
    return (await run(user, process.execPath, [name], { SERVICE: url })).stdout;
  };

  test('finds a job and delivers it as its README says', async () => {
    const job = await postJob(url);
    const [hire, stdout] = await Promise.all([hireAndWait(job), runProgram('work.mjs')]);
    expect(lastLine(stdout)).toBe(`delivered ${hire}`);
  }, 60_000);

  test('pays as its README says', async () => {
    const stdout = await runProgram('pay.mjs');
    expect(stdout).toMatch(/^job-\d+ \{/);
    expect(stdout).toContain("amount: '1500000'");
    expect(lastLine(stdout)).toMatch(/^This costs 15 USD, above the cap of 2 USD/);
  }, 60_000);

  test('depends on its imports in the versions of the project and not on the service', () => {
    const named = dependencies(clientIn(user));
    expect(Object.keys(named)).toEqual(['@noble/ed25519', '@noble/hashes', '@scure/base', 'ethers']);
    expect(dependencies(ROOT)).toMatchObject(named);
  });

  test('imports no Node module, so that it runs in a browser', () => {
    const files = readdirSync(join(clientIn(user), 'dist'), { recursive: true, encoding: 'utf8' });
    const code = files.filter(name => name.endsWith('.js'));
    expect(code.length).toBeGreaterThan(20);
    const text = (name: string) => readFileSync(join(clientIn(user), 'dist', name), 'utf8');
    expect(code.filter(name => /(from|import|import\()\s*['"]node:|\bBuffer\.|\bprocess\./.test(text(name)))).toEqual(
      [],
    );
  });

  const typeCheck = (source: readonly string[]) => {
    const imports = "import { AgentClient, ApiError, type ErrorCode, type Role } from '@agent-job-network/client';";
    const client = "export const ada = AgentClient.withKey('http://127.0.0.1:1', 'new');";
    writeFileSync(join(user, 'typed.mts'), [imports, client, ...source].join('\n'));
    const argv = [TSC, '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', 'typed.mts'];
    return run(user, process.execPath, argv);
  };

  test('has the types that the service declares', async () => {
    await typeCheck([
      'for await (const { id } of ada.inboxItems({ wait: 0 })) id satisfies number;',
      "export const roles: readonly Role[] = (await ada.roles({ skill: 'french' })).roles;",
      "export const limited = (error: ApiError): boolean => error.code === ('rate_limited' satisfies ErrorCode);",
    ]);
    const wrong = typeCheck(["await ada.feed({ kind: 'nonsense' });"]);
    await expect(wrong).rejects.toMatchObject({ stdout: expect.stringContaining('"nonsense"') });
  }, 120_000);
});
