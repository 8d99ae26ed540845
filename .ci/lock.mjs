#!/usr/bin/env node
// node .ci/lock.mjs [package...]: adds prebuilt packages of other platforms to package-lock.json, with their digests.
// npm leaves them out if its registry lacks them, and `npm ci` then fails on those platforms.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

const FILE = 'package-lock.json';
const OS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const SAME_CPU = ['x64', 'arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32'];
const CPU = { ...Object.fromEntries(SAME_CPU.map(name => [name, name])), amd64: 'x64', ppc64le: 'ppc64' };
const LIBC = { gnu: 'glibc', gnueabi: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabi: 'musl', musleabihf: 'musl' };

const lock = JSON.parse(fs.readFileSync(FILE, 'utf8'));
const wanted = process.argv.slice(2);

/** Sorts entries as npm does. */
const sorted = object => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Returns `{cpu, libc, os}` of a package, as far as its name contains them. */
function platformOf(name) {
  const words = name.split('/').pop().split(/[-_.]/);
  const os = OS.filter(each => words.includes(each));
  const cpu = words.flatMap(word => CPU[word] ?? []);
  const libc = os.includes('linux') ? words.flatMap(word => LIBC[word] ?? []) : [];
  return Object.fromEntries(Object.entries({ cpu, libc, os }).filter(([, found]) => found.length > 0));
}

/** Returns whether Node finds `name` from the package at `path`, in the node_modules of a folder above. */
function isFound(path, name) {
  if (lock.packages[`${path ? `${path}/` : ''}node_modules/${name}`]) return true;
  return path !== '' && isFound(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name);
}

function addMissing() {
  const optional = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies).map(([name, version]) => ({ path, name, version, dev })),
  );
  const missing = optional.filter(({ path, name }) => !isFound(path, name));
  for (const { name, version, dev } of missing) {
    const platform = platformOf(name);
    if (!/^\d+\.\d+\.\d+/.test(version) || !(platform.os ?? platform.cpu))
      console.log(`add by hand: ${name}@${version}`);
    else
      lock.packages[`node_modules/${name}`] = {
        version,
        ...sorted({ ...(dev && { dev }), optional: true, ...platform }),
      };
  }
}

function digestOf(name, version) {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], options).trim();
  } catch {
    return '';
  }
}

function addDigests() {
  for (const [path, entry] of Object.entries(lock.packages)) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const isAsked = wanted.length === 0 || wanted.includes(name);
    if (path === '' || entry.link || entry.integrity || !isAsked) continue;
    const { version, ...rest } = entry;
    const integrity = digestOf(name, version);
    if (integrity) lock.packages[path] = { version, integrity, ...rest };
    else console.log(`${name}@${version} has no digest: the registry does not have it`);
  }
}

addMissing();
addDigests();
lock.packages = sorted(lock.packages);
fs.writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
