// Makes of programs a few files with all that they import: thousands take Node longer to find and read than to run.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const { devDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** A thread is found beside the program that starts it. */
const PROGRAMS = {
  gateway: 'apps/gateway/main.js',
  projector: 'apps/projector/main.js',
  'projections-thread': 'libs/service/projections-thread.js',
  'sqlite.fill-thread.worker': 'libs/documents/sqlite.fill-thread.worker.js',
};

/** Packages that stay files: a binary, one that starts a thread of its own, and what only some services load. */
const FILES = ['libsql', 'pino', 'mongodb', '@eventstore/db-client'];

/**
 * A package that is imported late takes no part in a start, and stays files too; so does one that another package asks
 * for and does without.
 */
const LATE = {
  name: 'late',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^.#/]/ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : null)),
};

/**
 * In the form of which what is not used can be left out: the other one brings the phone numbers of all countries and the
 * letters of all languages along.
 */
const BY_MODULES = { 'class-validator': 'class-validator/esm2015/index.js' };

/**
 * V8 holds a program in half the memory where each of its characters fits into one byte. In texts esbuild writes the
 * others as escapes; what is left stands in comments.
 */
const inSingleBytes = text => text.replace(/^\s*(?:\/[/*]|\*).*$/gm, comment => comment.replace(/[^\0-\xff]/g, '?'));

/** Makes `programs` in a folder of compiled files. `more`: further ones, by name the file that each begins with. */
export async function bundle(folder, more = {}) {
  const programs = Object.entries({ ...PROGRAMS, ...more });
  const outdir = join(folder, 'programs');
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries(programs.map(([name, file]) => [name, join(folder, file)])),
    outdir,
    write: false,
    bundle: true,
    // What several of them import, and what is imported late, is a part of its own.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Without `keepNames`: it would define the name of every function anew each time that one is made, a sixth of a read.
    external: [...FILES, ...Object.keys(devDependencies)],
    plugins: [LATE],
    alias: BY_MODULES,
    // The aliases of tsconfig.json lead to sources, from which esbuild would not make the metadata of decorators.
    tsconfigRaw: {},
    // Packages of the older kind require the modules of Node.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
    },
    logLevel: 'warning',
  });
  mkdirSync(outdir, { recursive: true });
  for (const { path, text } of outputFiles) writeFileSync(path, inSingleBytes(text));
}
