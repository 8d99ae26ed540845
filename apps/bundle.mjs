// Bundles programs into a few files: Node needs longer to find and read thousands than to run them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const { devDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Threads must be next to the program that starts them. */
const PROGRAMS = {
  gateway: 'apps/gateway/main.js',
  projector: 'apps/projector/main.js',
  'projections-thread': 'libs/service/projections-thread.js',
  'sqlite.fill-thread.worker': 'libs/documents/sqlite.fill-thread.worker.js',
};

/** Packages that stay files: a binary, one that starts a thread of its own, and those that only some services load. */
const FILES = ['@photostructure/sqlite', 'pino', 'mongodb', '@eventstore/db-client'];

/** Packages that are imported late, and optional ones, do not slow the start and stay files too. */
const LATE = {
  name: 'late',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^.#/]/ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : null)),
};

/**
 * The ES modules allow tree shaking. The other form brings the phone numbers of all countries and the letters of all
 * languages.
 */
const BY_MODULES = { 'class-validator': 'class-validator/esm2015/index.js' };

/**
 * V8 needs half the memory for a source with one byte per character. esbuild escapes other characters in texts; the
 * rest are in comments.
 */
const inSingleBytes = text => text.replace(/^\s*(?:\/[/*]|\*).*$/gm, comment => comment.replace(/[^\0-\xff]/g, '?'));

/** Writes the programs and the scripts of pages into a folder of compiled files. `more` has further programs. */
export async function bundle(folder, more = {}) {
  const programs = Object.entries({ ...PROGRAMS, ...more });
  const outdir = join(folder, 'programs');
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries(programs.map(([name, file]) => [name, join(folder, file)])),
    outdir,
    write: false,
    bundle: true,
    // Shared and late imports become files of their own.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // `keepNames` would cost a sixth of a read: it defines the name of a function each time one is created.
    external: [...FILES, ...Object.keys(devDependencies)],
    plugins: [LATE],
    alias: BY_MODULES,
    // The aliases of tsconfig.json lead to sources, for which esbuild writes no decorator metadata.
    tsconfigRaw: {},
    // CommonJS packages require Node's modules.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
    },
    logLevel: 'warning',
  });
  mkdirSync(outdir, { recursive: true });
  for (const { path, text } of outputFiles) writeFileSync(path, inSingleBytes(text));
  const pages = path => import(pathToFileURL(join(folder, 'libs', 'channels', 'pages', path)).href);
  const [{ PAGE_SCRIPTS }, { writeBundles }] = [await pages('pages.js'), await pages('shell/script-modules.js')];
  await writeBundles(PAGE_SCRIPTS);
}
