import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { importedPath } from '#apps/generate/import-graph.js';

const ROOT = new URL('../', import.meta.url).pathname;
/** Folders of generated, installed and local files. */
const NOT_OURS = new Set(['bench/results', 'node_modules', 'dist', 'data', 'coverage', '.git', '.env']);

export const topLevel = () => readdirSync(ROOT).filter(name => !NOT_OURS.has(name) && name !== 'bench');

/** The text of a file, by its path from the top. */
export const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The paths of all files below a folder, from the top. */
export function filesOf(folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.has(name) && !name.endsWith('.log'))
    .flatMap(entry => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (NOT_OURS.has(path)) return [];
      return entry.isDirectory() ? filesOf(path) : [path];
    });
}

export interface Source {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly tree: ts.SourceFile;
}

const read = new Map<string, Source>();

export function source(path: string): Source {
  const cached = read.get(path);
  if (cached) return cached;
  const text = textOf(path);
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const made = { path, text, lines: text.split('\n').length - 1, tree };
  read.set(path, made);
  return made;
}

/** Every TypeScript file below folders. */
export const sources = (...folders: string[]): Source[] =>
  folders.flatMap(folder =>
    filesOf(folder)
      .filter(path => /\.tsx?$/.test(path))
      .map(source),
  );

export function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, child => void children.push(child));
  for (const child of children) yield* nodesOf(child);
}

/** The tokens of a tree. Comments are found before and after them. */
export function* tokensOf(node: ts.Node): Generator<ts.Node> {
  const children = node.getChildren();
  if (children.length === 0) yield node;
  for (const child of children) if (!ts.isJSDoc(child)) yield* tokensOf(child);
}

/** Folders whose folders are libraries of their own. */
const GROUPS = new Set(['platform', 'channels', 'features']);
/** Parts of a feature that are libraries of their own, because other features import them. */
const PUBLIC_PARTS = new Set(['domain', 'views']);

/** Returns the app or library of a path: `libs/kernel`, `libs/platform/vault`, `libs/features/hires/domain`. */
export function libraryOf(path: string): string {
  const [top, name, ...below] = path.replace(/\.\w+$/, '').split('/') as [string, string, ...string[]];
  if (top !== 'libs' || !GROUPS.has(name)) return `${top}/${name}`;
  const depth = name === 'features' && below.length > 2 && PUBLIC_PARTS.has(below[1]!) ? 2 : 1;
  return [top, name, ...below.slice(0, depth)].join('/');
}

/** Returns the app or library that an import reaches into; null outside the project. */
export function reaches(source: Source, specifier: string): string | null {
  const path = importedPath(source, specifier);
  return path === null ? null : libraryOf(path);
}

/** The app or library that a file is in. */
export const folderOf = ({ path }: Source) => libraryOf(path);

/** The cycles of a graph, as `a -> b -> a`, each from where it is met first. */
export function cycles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const found: string[] = [];
  const left = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) return void found.push([...path.slice(path.indexOf(name)), name].join(' -> '));
    if (left.has(name)) return;
    for (const next of graph.get(name) ?? []) visit(next, [...path, name]);
    left.add(name);
  };
  for (const name of graph.keys()) visit(name, []);
  return found;
}

export interface Function {
  readonly name: string;
  readonly lines: number;
  readonly node: ts.FunctionLikeDeclaration;
  readonly path: string;
}

/** Every function with a body: declared, method, arrow. */
export function functionsOf({ path, tree }: Source): Function[] {
  const line = (position: number) => tree.getLineAndCharacterOfPosition(position).line;
  return [...nodesOf(tree)].filter(hasBody).map(node => {
    const parent = node.parent;
    const named =
      node.name ?? (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name : null);
    const lines = line(node.getEnd()) - line(node.getStart()) + 1;
    return { name: named?.getText() ?? 'a function', lines, node, path };
  });
}

function hasBody(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

/** Numeric constants at the top of a file, by name, with how they are written. */
export function numbersOf({ tree }: Source): { readonly name: string; readonly value: string }[] {
  return tree.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) => {
    const constants = declarationList.flags & ts.NodeFlags.Const ? declarationList.declarations : [];
    return constants
      .filter(({ initializer }) => initializer && isNumber(initializer))
      .map(({ name, initializer }) => ({ name: name.getText(), value: initializer!.getText() }));
  });
}

function isNumber(node: ts.Expression): boolean {
  if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) return true;
  if (ts.isIdentifier(node)) return /_MS$/.test(node.text);
  return ts.isBinaryExpression(node) && isNumber(node.left) && isNumber(node.right);
}
