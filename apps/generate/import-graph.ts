import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** Returns the TypeScript files below folders, by their paths from the working directory. */
export const sourceTexts = (...folders: string[]): SourceText[] =>
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
