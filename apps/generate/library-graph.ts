import { importGraph, sourceTexts } from './import-graph.js';

/** Parts of features and channels that the picture shows as one node each. */
const NODES: readonly (readonly [path: RegExp, node: string])[] = [
  [/^libs\/features\/([^/]+\/domain\/|streams\.)/, 'domain'],
  [/^libs\/features\/([^/]+\/views\/|projections\.)/, 'views'],
  [/^libs\/channels\/pages\//, 'pages'],
];

const nodeOf = (path: string) => NODES.find(([of]) => of.test(path))?.[1] ?? path.split('/')[1]!;

/** Draws the libraries as a Mermaid graph. An arrow that follows from others is left out. Throws on a cycle. */
export function libraryGraph(): string {
  const graph = importGraph(sourceTexts('libs'), nodeOf);
  const arrows = [...graph].flatMap(([from, targets]) =>
    [...targets].filter(to => !isReachedBy(graph, from, to)).map(to => `  ${from} --> ${to}`),
  );
  return ['```mermaid', 'graph TD', ...arrows.sort(), '```'].join('\n');
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
