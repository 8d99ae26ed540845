// Makes of programs a few files with all that they import: thousands take Node longer to find and read than to run.
import { readFileSync } from 'node:fs';
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

/** Makes `programs` in a folder of compiled files. `more`: further ones, by name the file that each begins with. */
export async function bundle(folder, more = {}) {
  const programs = Object.entries({ ...PROGRAMS, ...more });
  await build({
    entryPoints: Object.fromEntries(programs.map(([name, file]) => [name, join(folder, file)])),
    outdir: join(folder, 'programs'),
    bundle: true,
    // What several of them import, and what is imported late, is a part of its own.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Without `keepNames`: it would define the name of every function anew each time that one is made, a sixth of a read.
    external: [...FILES, ...Object.keys(devDependencies)],
    plugins: [LATE],
    // Packages of the older kind require the modules of Node.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
    },
    logLevel: 'warning',
  });
}
