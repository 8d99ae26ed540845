import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** A build, and an installation from a registry. */
export const LONG_MS = 480_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** What a user's shell has; nothing of the npm that runs these tests. */
export const ENVIRONMENT = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(lifecycle|package|command)/.test(name))),
  NODE_OPTIONS: '',
  PORT: '0',
  DEV_CHAIN_PORTS: '0,0',
  NO_COLOR: '1',
};

/** Runs a command as a user does; answers what it said, and throws what it said where it failed. */
export const run = (cwd: string, command: string, argv: readonly string[], more: object = {}) =>
  promisify(execFile)(command, argv, { cwd, env: { ...ENVIRONMENT, ...more }, maxBuffer: OUTPUT_BYTES_MAX });

export const lastLine = (text: string) => text.trim().split('\n').at(-1)!;

/** Makes an empty folder in which a packed file, and what else is named, is installed. */
export async function install(into: string, ...packages: string[]): Promise<string> {
  mkdirSync(into);
  writeFileSync(join(into, 'package.json'), '{}');
  await run(into, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages]);
  return into;
}

export const dependencies = (of: string) =>
  (JSON.parse(readFileSync(join(of, 'package.json'), 'utf8')) as { dependencies: { [name: string]: string } })
    .dependencies;

/** Packs the client and installs it into an empty folder, as its README says; answers the folder. */
export async function installClient(folder: string): Promise<string> {
  const packed = await run(ROOT, process.execPath, ['libs/client/pack.mjs', folder]);
  return install(join(folder, 'agent'), lastLine(packed.stdout), `ethers@${dependencies(ROOT)['ethers']}`);
}

/** Where the installed client is. */
export const clientIn = (user: string) => join(user, 'node_modules', '@agent-job-network', 'client');

/** The program of the client's README. */
export const programOfReadme = (user: string) =>
  /^```js\n([\s\S]*?)^```$/m.exec(readFileSync(join(clientIn(user), 'README.md'), 'utf8'))![1]!;
