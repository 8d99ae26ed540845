import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const IMPORT = /(?:from|import)\s*\(?\s*'((?:#libs|\.{1,2})\/[^']+)'/g;

/** Parts of features and channels that the picture shows as one node each. */
const NODES: readonly (readonly [path: RegExp, node: string])[] = [
  [/^libs\/features\/([^/]+\/domain\/|streams\.)/, 'domain'],
  [/^libs\/features\/([^/]+\/views\/|projections\.)/, 'views'],
  [/^libs\/channels\/pages\//, 'pages'],
];

const nodeOf = (path: string) => NODES.find(([of]) => of.test(path))?.[1] ?? path.split('/')[1]!;

/** Draws the libraries as a Mermaid graph. An arrow that follows from others is left out. Throws on a cycle. */
export function libraryGraph(): string {
  const graph = importGraph();
  const arrows = [...graph].flatMap(([from, targets]) =>
    [...targets].filter(to => !isReachedBy(graph, from, to)).map(to => `  ${from} --> ${to}`),
  );
  return ['```mermaid', 'graph TD', ...arrows.sort(), '```'].join('\n');
}

function importGraph(): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  const paths = readdirSync('libs', { recursive: true, encoding: 'utf8' }).filter(path => /\.tsx?$/.test(path));
  for (const path of paths.map(each => join('libs', each))) {
    const targets = [...readFileSync(path, 'utf8').matchAll(IMPORT)].map(([, specifier]) =>
      nodeOf(specifier!.startsWith('#') ? specifier!.slice(1) : normalize(join(dirname(path), specifier!))),
    );
    const own = nodeOf(path);
    graph.set(own, new Set([...(graph.get(own) ?? []), ...targets.filter(target => target !== own)]));
  }
  return graph;
}

/** Whether `to` is reached from `from` by a longer path than their own arrow. */
function isReachedBy(graph: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const left = [...(graph.get(from) ?? [])].filter(next => next !== to);
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (name === from) throw new Error(`${from} imports itself by a detour.`);
    if (name === to) return true;
    if (!seen.has(name)) left.push(...(graph.get(name) ?? []));
    seen.add(name);
  }
  return false;
}
