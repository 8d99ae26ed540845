// Makes of programs a few files with all that they import: thousands take Node longer to find and read than to run.
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

const { devDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

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

/** `programs`: by the name that each gets in the folder `outdir`, the compiled file that it begins with. */
export async function bundle(programs, outdir) {
  await build({
    entryPoints: programs,
    outdir,
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
