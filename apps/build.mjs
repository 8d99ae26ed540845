// npm run build: compiles everything, looks that nothing was forgotten in a list, and makes of each program that has
// to start fast a few files with all that it imports: thousands take Node longer to find and read than to run.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const folders = ['apps', 'libs', 'test/bench'].filter(folder => existsSync(join(root, folder)));
const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The programs in `dist/programs`. A thread is found beside the program that starts it. */
const PROGRAMS = {
  gateway: 'apps/gateway/main.js',
  projector: 'apps/projector/main.js',
  'projections-thread': 'libs/service/projections-thread.js',
  'sqlite.fill-thread.worker': 'libs/documents/sqlite.fill-thread.worker.js',
};

const PARTS_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

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

function compile() {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const stdio = ['ignore', 'inherit', 'inherit'];
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio });
  if (status !== 0) process.exit(status ?? 1);
}

/** What was built of a source that is there no more, as after a pull: it would be looked for in the lists. */
function removeStale(folder) {
  const built = join(dist, folder);
  for (const file of readdirSync(built, { recursive: true })) {
    const source = join(root, folder, file.replace(/\.js$/, ''));
    if (file.endsWith('.js') && !existsSync(`${source}.ts`) && !existsSync(`${source}.tsx`)) rmSync(join(built, file));
  }
}

/** Parts of older programs: a service that runs may load more of its own until it is started again. */
function removeParts(folder) {
  const built = existsSync(folder) ? readdirSync(folder).map(name => join(folder, name)) : [];
  for (const file of built) if (Date.now() - statSync(file).mtimeMs > PARTS_KEPT_MS) rmSync(file);
}

async function bundle() {
  const { build } = await import('esbuild');
  removeParts(join(dist, 'programs'));
  const entries = Object.entries(PROGRAMS).map(([name, file]) => [name, join(dist, file)]);
  await build({
    entryPoints: Object.fromEntries(entries),
    outdir: join(dist, 'programs'),
    bundle: true,
    // What several of them import, and what is imported late, is a part of its own.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Without `keepNames`: it would define the name of every function anew each time that one is made, a sixth of a read.
    external: [...FILES, ...Object.keys(project.devDependencies)],
    plugins: [LATE],
    // Packages of the older kind require the modules of Node.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
    },
    logLevel: 'warning',
  });
}

/** Throws a sentence for what a file declares and no list names. */
async function check() {
  const { checkInventory } = await import(pathToFileURL(join(dist, 'libs', 'service', 'inventory.js')).href);
  await checkInventory();
}

console.error('Building ...');
compile();
folders.forEach(removeStale);
try {
  await check();
  await bundle();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
writeFileSync(join(dist, '.built'), '');
