// npm run build: compiles everything, checks the inventory of the libraries, bundles the programs, packs the clients.
import './preflight.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const folders = ['apps', 'libs', 'test/bench'].filter(folder => existsSync(join(root, folder)));

const PARTS_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

function compile() {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const stdio = ['ignore', 'inherit', 'inherit'];
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio });
  if (status !== 0) process.exit(status ?? 1);
}

/** Removes output whose source is gone: the inventory check would find it. */
function removeStale(folder) {
  const built = join(dist, folder);
  for (const file of readdirSync(built, { recursive: true })) {
    const source = join(root, folder, file.replace(/\.js$/, ''));
    if (file.endsWith('.js') && !existsSync(`${source}.ts`) && !existsSync(`${source}.tsx`)) rmSync(join(built, file));
  }
}

/** Keeps recent parts of older programs: a running service may still load them. */
function removeParts(folder) {
  const built = existsSync(folder) ? readdirSync(folder).map(name => join(folder, name)) : [];
  for (const file of built) if (Date.now() - statSync(file).mtimeMs > PARTS_KEPT_MS) rmSync(file);
}

const STEPS = ['compile the sources', 'check the libraries', 'bundle the programs', 'pack the clients'];

/** Shows progress: the first build takes about 20 seconds, most of them for the first step. */
const step = number => console.error(`Building (${number} of ${STEPS.length}): ${STEPS[number - 1]} ...`);

step(1);
compile();
folders.forEach(removeStale);
try {
  step(2);
  const { checkInventory } = await import(pathToFileURL(join(dist, 'libs', 'service', 'inventory.js')).href);
  await checkInventory();
  step(3);
  const { bundle } = await import('./bundle.mjs');
  removeParts(join(dist, 'programs'));
  await bundle(dist);
  step(4);
  const { packClients } = await import('./pack-clients.mjs');
  const { pythonFiles } = await import('#apps/generate/python-files.js');
  packClients(join(dist, 'clients'), pythonFiles);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
writeFileSync(join(dist, '.built'), '');
