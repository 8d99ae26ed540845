import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The alias finds the compiled file from a bundle too, where a relative path would not. */
const HERE = import.meta.resolve('#libs/channels/pages/shell/script-modules.js');
/** Whether the sources run directly, as in tests. */
const IS_SOURCE = /\.tsx?$/.test(HERE);
const LIBS = fileURLToPath(new URL('../../../', HERE));
const SCRIPTS = `${LIBS}channels/pages/scripts/`;
/** Made by the build, because the service runs without the bundler. */
const BUNDLES = new URL('../scripts.json', HERE);

type Texts = { readonly [name: string]: string };

export interface ScriptModules {
  /** Source of each file by its name. */
  readonly files: Texts;
  /** File of each script. */
  readonly entries: Texts;
}

/** Returns the files that browsers load for these scripts. */
export const scriptModules = async (scripts: readonly string[]): Promise<ScriptModules> =>
  IS_SOURCE ? bundleOnce(scripts) : (JSON.parse(await readFile(BUNDLES, 'utf8')) as ScriptModules);

const bundled = new Map<string, Promise<ScriptModules>>();

function bundleOnce(scripts: readonly string[]): Promise<ScriptModules> {
  const key = scripts.join();
  const modules = bundled.get(key) ?? bundleScripts(scripts);
  bundled.set(key, modules);
  return modules;
}

/** Part of the build. */
export const writeBundles = async (scripts: readonly string[]): Promise<void> =>
  writeFile(BUNDLES, JSON.stringify(await bundleScripts(scripts)));

/** Minifies scripts with their imports. Shared and late imports become files of their own. */
async function bundleScripts(scripts: readonly string[]): Promise<ScriptModules> {
  const { buildSync } = await import('esbuild');
  const { outputFiles, metafile } = buildSync({
    entryPoints: scripts.map(script => ({ in: `${SCRIPTS}${script}`, out: script })),
    outdir: SCRIPTS,
    entryNames: '[dir]/[name]-[hash]',
    absWorkingDir: SCRIPTS,
    alias: { '#libs': LIBS },
    tsconfigRaw: {},
    write: false,
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
  });
  const entries = Object.entries(metafile.outputs).flatMap(([file, { entryPoint }]) =>
    entryPoint !== undefined && scripts.includes(nameOf(entryPoint)) ? [[nameOf(entryPoint), file] as const] : [],
  );
  return {
    files: Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text])),
    entries: Object.fromEntries(entries),
  };
}

const nameOf = (path: string) => path.replace(/\.\w+$/, '');
