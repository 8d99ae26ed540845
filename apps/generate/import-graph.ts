import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** Returns the TypeScript files below folders, by their paths from the working directory. */
const sourceTexts = (...folders: string[]): SourceText[] =>
  folders.flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(path => /\.tsx?$/.test(path))
      .map(path => ({ path: join(folder, path), text: readFileSync(join(folder, path), 'utf8') })),
  );

/** Returns the specifiers that a file imports or exports from, including types. */
export const importsOf = ({ text }: Pick<SourceText, 'text'>): string[] =>
  ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);

/** Returns null for packages. */
export function importedPath({ path }: Pick<SourceText, 'path'>, specifier: string): string | null {
  if (/^#(libs|apps)\//.test(specifier)) return specifier.slice(1);
  return specifier.startsWith('.') ? join(dirname(path), specifier) : null;
}

/** Maps each node to the others that its files import. `nodeOf` returns the node of a path. */
export function importGraph(code: readonly SourceText[], nodeOf: (path: string) => string): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const source of code) {
    const importer = nodeOf(source.path);
    const paths = importsOf(source).flatMap(specifier => importedPath(source, specifier) ?? []);
    graph.set(
      importer,
      new Set([...(graph.get(importer) ?? []), ...paths.map(nodeOf).filter(node => node !== importer)]),
    );
  }
  return graph;
}

/** Folders whose folders are nodes of their own. So are the files in them, which list all features. */
const GROUPS = new Set(['platform', 'channels', 'features']);

/** `libs/kernel`, `libs/platform/vault`, `libs/features/hires`, `libs/features/projections` */
export function folderOf(path: string): string {
  const names = path.replace(/\.\w+$/, '').split('/');
  return names.slice(0, GROUPS.has(names[1]!) ? 3 : 2).join('/');
}

const nodeOf = (path: string) => folderOf(path).replace('libs/', '');

/** Returns a Mermaid graph without redundant arrows. Throws on a cycle. */
export function libraryGraph(): string {
  const graph = importGraph(sourceTexts('libs'), nodeOf);
  const arrows = [...graph].flatMap(([from, targets]) =>
    [...targets].filter(to => !isReachedBy(graph, from, to)).map(to => `  ${from} --> ${to}`),
  );
  return ['```mermaid', 'graph TD', ...arrows.sort(), '```'].join('\n');
}

/** Whether a longer path than the direct arrow leads from `from` to `to`. */
function isReachedBy(graph: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const pending = [...(graph.get(from) ?? [])].filter(next => next !== to);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === from) throw new Error(`${from} imports itself through other libraries.`);
    if (name === to) return true;
    if (!seen.has(name)) pending.push(...(graph.get(name) ?? []));
    seen.add(name);
  }
  return false;
}
