// node apps/fresh-build.mjs: builds if a source or package is newer than the last build. Processes that start at once
// wait for one build.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const SOURCES = ['apps', 'libs', 'test/bench', 'tsconfig.json', 'package.json', 'node_modules/.package-lock.json'];
const stamp = join(root, 'dist', '.built');
/** Holds the id of the process that builds. */
const lock = join(root, 'dist', '.building');
const LOCK_MS = 10 * 60 * 1000;
const WAIT_MS = 100;

export function freshBuild() {
  if (isFresh()) return;
  takeLock();
  const status = isFresh() ? 0 : runBuild();
  rmSync(lock, { force: true });
  if (status !== 0) process.exit(status ?? 1);
}

function isFresh() {
  const paths = SOURCES.map(source => join(root, source)).filter(existsSync);
  return existsSync(stamp) && statSync(stamp).mtimeMs >= Math.max(...paths.map(newest));
}

/** Latest change of a file or below a folder in ms; removing a file changes its folder. */
function newest(path) {
  const status = statSync(path);
  const names = status.isDirectory() ? readdirSync(path) : [];
  return Math.max(status.mtimeMs, ...names.map(name => newest(join(path, name))));
}

function runBuild() {
  const stdio = ['ignore', 'inherit', 'inherit'];
  return spawnSync(process.execPath, [join(root, 'apps', 'build.mjs')], { stdio }).status;
}

function takeLock() {
  mkdirSync(dirname(lock), { recursive: true });
  while (!tryLock()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
}

/** The lock of a process that was killed counts for nothing. */
function tryLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  if (isAbandoned()) rmSync(lock, { force: true });
  return false;
}

function isAbandoned() {
  try {
    if (Date.now() - statSync(lock).mtimeMs > LOCK_MS) return true;
    // Just created, it may have no id yet; 0 is this group of processes.
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) freshBuild();
