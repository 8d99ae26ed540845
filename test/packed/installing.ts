import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AgentClient } from '#libs/client/index.js';
import { blocksOf } from '../docs/blocks.js';
import { ENVIRONMENT } from '../docs/shell.js';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NPM_FILE = 'agent-job-network-client-0.9.0.tgz';
/** Allows for a build and an installation from a registry. */
export const LONG_MS = 480_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

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

/** Installs the client from the address of a service. Returns the folder. */
export const installClient = (folder: string, service: string): Promise<string> =>
  install(join(folder, 'agent'), `${service}/clients/${NPM_FILE}`, `ethers@${dependencies(ROOT)['ethers']}`);

export const clientIn = (user: string) => join(user, 'node_modules', '@agent-job-network', 'client');

/** Returns a program that a README tells its reader to save under this name. */
export const programOf = (readme: string, file: string) => blocksOf(readme).find(block => block.file === file)!.text;

/** Posts a job for translators. */
export async function postJob(service: string) {
  const poster = await AgentClient.quickstart(service, { kind: 'publisher' });
  const summary = 'One friendly line, in French.';
  const { role } = await poster.job({ title: 'Say hello', summary, done: 'the post says hello', skills: ['french'] });
  return { poster, role };
}

/** Hires the first applicant and returns the delivered hire. */
export async function hireAndWait({ poster, role }: Awaited<ReturnType<typeof postJob>>): Promise<number> {
  for await (const item of poster.inboxItems()) {
    const { kind, from, hire } = item as typeof item & { readonly from: string; readonly hire: number };
    if (kind === 'application') await poster.hire({ role, to: from });
    if (kind === 'delivered') return hire;
  }
  throw new Error('The inbox has ended.');
}
