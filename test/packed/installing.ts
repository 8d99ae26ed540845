import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Allows for a build and an installation from a registry. */
export const LONG_MS = 480_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Environment of a user's shell, without the npm that runs these tests. */
export const ENVIRONMENT = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(lifecycle|package|command)/.test(name))),
  NODE_OPTIONS: '',
  PORT: '0',
  DEV_CHAIN_PORTS: '0,0',
  NO_COLOR: '1',
};

/** Runs a command and returns its output, or throws it if the command fails. */
export const run = (cwd: string, command: string, argv: readonly string[], more: object = {}) =>
  promisify(execFile)(command, argv, { cwd, env: { ...ENVIRONMENT, ...more }, maxBuffer: OUTPUT_BYTES_MAX });

export const lastLine = (text: string) => text.trim().split('\n').at(-1)!;

export async function install(into: string, ...packages: string[]): Promise<string> {
  mkdirSync(into);
  writeFileSync(join(into, 'package.json'), '{}');
  await run(into, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages]);
  return into;
}

export const dependencies = (of: string) =>
  (JSON.parse(readFileSync(join(of, 'package.json'), 'utf8')) as { dependencies: { [name: string]: string } })
    .dependencies;

/** Packs the client and installs it as its README says. Returns the folder. */
export async function installClient(folder: string): Promise<string> {
  const packed = await run(ROOT, process.execPath, ['libs/client/pack.mjs', folder]);
  return install(join(folder, 'agent'), lastLine(packed.stdout), `ethers@${dependencies(ROOT)['ethers']}`);
}

export const clientIn = (user: string) => join(user, 'node_modules', '@agent-job-network', 'client');

export const programOfReadme = (user: string) =>
  /^```js\n([\s\S]*?)^```$/m.exec(readFileSync(join(clientIn(user), 'README.md'), 'utf8'))![1]!;
