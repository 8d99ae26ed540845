#!/usr/bin/env node
// node .ci/lock.mjs [package...]: run after each `npm install` that changed package-lock.json.
//
// npm leaves the prebuilt packages of other platforms out of the lock where the registry that it asks has none of them;
// `npm ci` then refuses the lock on those platforms. This adds an entry for each, with os, cpu and libc read from its
// name, and then asks the registry for the digest of whatever has none: of all of them, or of those that are named.
// What a registry does not have is said, and stays without: npm verifies a package only against a digest in the lock.
// A second run changes nothing.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

const FILE = 'package-lock.json';
const OS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const SAME_CPU = ['x64', 'arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32'];
const CPU = { ...Object.fromEntries(SAME_CPU.map(name => [name, name])), amd64: 'x64', ppc64le: 'ppc64' };
const LIBC = { gnu: 'glibc', gnueabi: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabi: 'musl', musleabihf: 'musl' };

const lock = JSON.parse(fs.readFileSync(FILE, 'utf8'));
const wanted = process.argv.slice(2);

/** As npm orders what it writes. */
const sorted = object => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

/** What npm looks at before it installs the package: `{cpu, libc, os}`, as far as its name says. */
function platformOf(name) {
  const words = name.split('/').pop().split(/[-_.]/);
  const os = OS.filter(each => words.includes(each));
  const cpu = words.flatMap(word => CPU[word] ?? []);
  const libc = os.includes('linux') ? words.flatMap(word => LIBC[word] ?? []) : [];
  return Object.fromEntries(Object.entries({ cpu, libc, os }).filter(([, found]) => found.length > 0));
}

/** Whether Node would find `name` from the package at `path`: the nearest node_modules upwards has it. */
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
