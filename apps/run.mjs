// node apps/run.mjs <app> [arguments]: builds what is not built, then runs the app, or `bench`.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'dist', '.built');

/** The newest change of a source below a folder, ms. */
function newest(folder) {
  let latest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return latest;
}

function build() {
  const sources = ['apps', 'libs', 'test/bench'].map(folder => join(root, folder)).filter(existsSync);
  const changed = Math.max(...sources.map(newest), statSync(join(root, 'tsconfig.json')).mtimeMs);
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= changed) return;
  console.error('Building ...');
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, '');
}

const [app, ...rest] = process.argv.slice(2);
if (existsSync(join(root, 'node_modules', 'typescript'))) build();
const main = join(root, 'dist', ...(app === 'bench' ? ['test'] : ['apps']), app, 'main.js');
process.argv = [process.argv[0], main, ...rest];
await import(pathToFileURL(main).href);
