import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from '../setup/compile.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['apps', 'libs', join('test', 'faults')];
const IMPORTS = { '#apps/*.js': './apps/*.js', '#libs/*.js': './libs/*.js' };

let cachedFolder: string | undefined;

/** Compiles the sources to JavaScript once per process, which saves child processes two seconds per start. */
export function transformedSources(): string {
  cachedFolder ??= transform();
  return cachedFolder;
}

function transform(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sources-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', imports: IMPORTS }));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const name of FOLDERS.flatMap(sourcesIn)) {
    const file = join(folder, name.replace(/\.tsx?$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, compile(join(ROOT, name)));
  }
  return folder;
}

function sourcesIn(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names.filter(name => /\.tsx?$/.test(name) && !/\.spec\.ts$/.test(name)).map(name => join(folder, name));
}
