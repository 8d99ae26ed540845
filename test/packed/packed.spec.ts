import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
/** A build, and an installation from a registry. */
const LONG_MS = 480_000;

/** What a user's shell has; nothing of the npm that runs these tests. */
const ENVIRONMENT = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(lifecycle|package|command)/.test(name))),
  NODE_OPTIONS: '',
  PORT: '0',
  DEV_CHAIN_PORTS: '0,0',
  NO_COLOR: '1',
};

let folder: string;
let service: { readonly child: ChildProcess; readonly url: string };

const run = (cwd: string, command: string, argv: readonly string[], more: object = {}) =>
  promisify(execFile)(command, argv, { cwd, env: { ...ENVIRONMENT, ...more }, maxBuffer: 64 * 1024 * 1024 });

/** Makes an empty folder in which a packed file, and what else is named, is installed. */
async function install(name: string, ...packages: string[]): Promise<string> {
  const into = join(folder, name);
  mkdirSync(into);
  writeFileSync(join(into, 'package.json'), '{}');
  await run(into, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages]);
  return into;
}

const lastLine = (text: string) => text.trim().split('\n').at(-1)!;
const command = () => join(folder, 'network', 'node_modules', '.bin', 'agent-job-network');
/** The command, in a folder that is nothing but where a user happens to be. */
const network = (...argv: string[]) => run(join(folder, 'elsewhere'), command(), argv);

async function start(): Promise<typeof service> {
  const child = spawn(command(), ['start'], { cwd: join(folder, 'elsewhere'), env: ENVIRONMENT });
  for await (const line of createInterface(child.stdout)) {
    const url = /^ +address +(\S+)$/.exec(line)?.[1];
    if (url !== undefined) return { child, url };
  }
  throw new Error('The packed service did not start.');
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packed-'));
  mkdirSync(join(folder, 'elsewhere'));
  const packed = await run(ROOT, 'npm', ['pack', '--pack-destination', folder]);
  await install('network', join(folder, lastLine(packed.stdout)));
  service = await start();
}, LONG_MS);

afterAll(async () => {
  // Undefined where it did not start; the failure says why.
  const child = (service as typeof service | undefined)?.child;
  child?.kill();
  await new Promise(resolve => (child ? child.once('exit', resolve) : resolve(null)));
  rmSync(folder, { recursive: true, force: true });
});

test('what was installed from the packed project starts, plays the demo and is checked, from any folder', async () => {
  expect(lastLine((await network('demo')).stdout)).toContain('Everything is as it should be');
  expect(JSON.parse((await network('operator', 'status', '--json')).stdout)).toMatchObject({ ok: true });
  expect((await network('auditor', 'verify', '--from', service.url)).stdout).toContain('Nothing is wrong.');
  expect((await network('--help')).stdout).toContain('auditor');
  await expect(network('strat')).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('start') });
}, 120_000);

describe('the client as a package of its own', () => {
  let user: string;
  beforeAll(async () => {
    const packed = await run(ROOT, process.execPath, ['libs/client/pack.mjs', folder]);
    user = await install('agent', lastLine(packed.stdout), `ethers@${dependencies(ROOT)['ethers']}`);
  }, LONG_MS);

  const dependencies = (of: string) =>
    (JSON.parse(readFileSync(join(of, 'package.json'), 'utf8')) as { dependencies: { [name: string]: string } })
      .dependencies;

  test('pays as its README says', async () => {
    const readme = readFileSync(join(user, 'node_modules', '@agent-job-network', 'client', 'README.md'), 'utf8');
    writeFileSync(join(user, 'pay.mjs'), /^```js\n([\s\S]*?)^```$/m.exec(readme)![1]!);
    const { stdout } = await run(user, process.execPath, ['pay.mjs'], { SERVICE: service.url });
    expect(stdout).toMatch(/^job-\d+ \{/);
    expect(stdout).toContain("amount: '1500000'");
    expect(lastLine(stdout)).toMatch(/^This costs 15 USD, above the cap of 2 USD/);
  }, 60_000);

  test('depends on what it imports, in the versions of the project, and holds nothing of the service', () => {
    const own = join(user, 'node_modules', '@agent-job-network', 'client');
    const named = dependencies(own);
    expect(Object.keys(named)).toEqual(['@noble/ed25519', '@scure/base', '@x402/core', 'ethers']);
    expect(dependencies(ROOT)).toMatchObject(named);
  });

  const typeCheck = (source: readonly string[]) => {
    const imports = "import { AgentClient, ApiError, type ErrorCode, type Role } from '@agent-job-network/client';";
    const client = "export const ada = AgentClient.withKey('http://127.0.0.1:1', 'new');";
    writeFileSync(join(user, 'typed.mts'), [imports, client, ...source].join('\n'));
    const argv = [TSC, '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', 'typed.mts'];
    return run(user, process.execPath, argv);
  };

  test('is typed by what the service declares', async () => {
    await typeCheck([
      'for await (const { id } of ada.inboxItems({ wait: 0 })) id satisfies number;',
      "export const roles: readonly Role[] = (await ada.roles({ skill: 'french' })).roles;",
      "export const limited = (error: ApiError): boolean => error.code === ('rate_limited' satisfies ErrorCode);",
    ]);
    const wrong = typeCheck(["await ada.feed({ kind: 'nonsense' });"]);
    await expect(wrong).rejects.toMatchObject({ stdout: expect.stringContaining('"nonsense"') });
  }, 120_000);
});
