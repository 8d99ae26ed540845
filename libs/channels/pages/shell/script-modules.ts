import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** The alias finds the compiled file from a bundle too, where a relative path would not. */
const HERE = import.meta.resolve('#libs/channels/pages/shell/script-modules.js');
/** Whether the sources run directly, as in tests. */
const IS_SOURCE = /\.tsx?$/.test(HERE);
const LIBS = new URL('../../../', HERE);
/**
 * Matches imports in compiled code. They end with a semicolon or a bracket, and the word "from" may appear in texts.
 */
const IMPORTED = /((?<!['"])\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"\n]+)\2(?=\s*[;)])/g;
const NAME_DIGEST_CHARACTERS = 8;

export interface ScriptModules {
  /** Source of each file by its name. */
  readonly files: ReadonlyMap<string, string>;
  /** File of each script. */
  readonly entries: ReadonlyMap<string, string>;
}

/**
 * Collects scripts with all their imports. Browsers need relative specifiers, so imports are rewritten to the names of
 * the files.
 */
export async function scriptModules(scripts: readonly string[]): Promise<ScriptModules> {
  const files = new Map<string, string>();
  const entries = new Map<string, string>();
  for (const script of scripts)
    entries.set(script, await add(new URL(`channels/pages/scripts/${script}.js`, LIBS), files));
  return { files, entries };
}

export const importsIn = (text: string) => text.matchAll(IMPORTED);

async function add(url: URL, files: Map<string, string>): Promise<string> {
  const name = nameOf(url);
  if (files.has(name)) return name;
  files.set(name, '');
  const text = await textOf(url);
  let [browsers, read] = ['', 0];
  for (const { 0: whole, 1: before, 2: quote, 3: specifier, index } of importsIn(text)) {
    const imported = await add(resolve(specifier!, url), files);
    browsers += `${text.slice(read, index)}${before}${quote}./${imported}${quote}`;
    read = index + whole.length;
  }
  files.set(name, browsers + text.slice(read));
  return name;
}

/** The digest makes the name unique. */
function nameOf({ href, pathname }: URL): string {
  const path = href.startsWith(LIBS.href) ? href.slice(LIBS.href.length) : pathname.split('/node_modules/').at(-1)!;
  const digest = createHash('sha256').update(path).digest('hex').slice(0, NAME_DIGEST_CHARACTERS);
  return `${basename(path).replace(/\.\w+$/, '')}.${digest}.js`;
}

function resolve(specifier: string, from: URL): URL {
  const alias = /^#libs\/(.*)$/.exec(specifier);
  if (alias) return new URL(alias[1]!, LIBS);
  return specifier.startsWith('.') ? new URL(specifier, from) : new URL(import.meta.resolve(specifier));
}

async function textOf(url: URL): Promise<string> {
  if (!IS_SOURCE || !url.href.startsWith(LIBS.href)) return readFile(url, 'utf8');
  const { transform } = await import('@swc/core');
  const written = await readFile(new URL(url.href.replace(/\.js$/, '.ts')), 'utf8');
  const options = { swcrc: false, jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } } as const;
  return (await transform(written, options)).code;
}
