#!/usr/bin/env node
// npm run pack:python -- <folder>: builds the Python client as a wheel with the project's version and licence. pip fetches
// the build tool, hatchling. PYTHON names an interpreter other than python3.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const source = join(root, 'libs/client-python');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Copies the sources, so that the build leaves no files in the project. */
function gather(folder) {
  cpSync(join(source, 'src'), join(folder, 'src'), { recursive: true, filter: path => !path.endsWith('__pycache__') });
  copyFileSync(join(source, 'README.md'), join(folder, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const project = readFileSync(join(source, 'pyproject.toml'), 'utf8');
  writeFileSync(join(folder, 'pyproject.toml'), project.replace(/^version = .*$/m, `version = "${version}"`));
}

const destination = resolve(process.argv[2] ?? '.');
const folder = mkdtempSync(join(tmpdir(), 'client-python-'));
try {
  mkdirSync(destination, { recursive: true });
  gather(folder);
  const argv = ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', destination, folder];
  execFileSync(process.env.PYTHON ?? 'python3', argv, { stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(join(destination, `agent_job_network_client-${version}-py3-none-any.whl`));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
