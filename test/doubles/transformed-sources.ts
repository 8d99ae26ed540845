import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from '../setup/compile.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['apps', 'libs', join('test', 'faults')];
const IMPORTS = { '#apps/*.js': './apps/*.js', '#libs/*.js': './libs/*.js' };
/** Below `node_modules`, so that its modules find the packages. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'sources');
const KEPT_MS = 24 * 60 * 60 * 1000;
const BUNDLE = join(ROOT, 'test', 'doubles', 'bundle.mjs');
const SETTINGS = ['.swcrc', 'package-lock.json', join('apps', 'bundle.mjs'), join('test', 'doubles', 'bundle.mjs')];

let preparedFolder: string | undefined;

/** Folder of the sources as JavaScript, with the bundled programs, which start three times faster. */
export function transformedSources(): string {
  preparedFolder ??= prepare();
  return preparedFolder;
}

/** All workers of a run use one folder; it is named by its contents. */
function prepare(): string {
  const names = FOLDERS.flatMap(sourcesIn).sort();
  const folder = join(CACHE, digestOf([...SETTINGS, ...names]));
  if (existsSync(folder)) return folder;
  removeOldFolders();
  const own = `${folder}.${process.pid}`;
  for (const name of names) write(join(own, name.replace(/\.tsx?$/, '.js')), compile(join(ROOT, name)));
  write(join(own, 'package.json'), JSON.stringify({ type: 'module', imports: IMPORTS }));
  const { status, stderr } = spawnSync(process.execPath, [BUNDLE, own], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  try {
    renameSync(own, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    // Another worker was faster.
    rmSync(own, { recursive: true });
  }
  return folder;
}

function digestOf(names: readonly string[]): string {
  const hash = createHash('sha256');
  for (const name of names)
    hash
      .update(name)
      .update('\0')
      .update(readFileSync(join(ROOT, name)))
      .update('\0');
  return hash.digest('hex');
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function removeOldFolders(): void {
  for (const name of existsSync(CACHE) ? readdirSync(CACHE) : [])
    if (Date.now() - statSync(join(CACHE, name)).mtimeMs > KEPT_MS) rmSync(join(CACHE, name), { recursive: true });
}

function sourcesIn(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names.filter(name => /\.tsx?$/.test(name) && !/\.spec\.ts$/.test(name)).map(name => join(folder, name));
}

export const bundledProgram = (name: 'gateway' | 'projector' | 'service-process'): string =>
  join(transformedSources(), 'programs', `${name}.js`);
