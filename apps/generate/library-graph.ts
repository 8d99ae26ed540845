import { importGraph, sourceTexts } from './import-graph.js';

/** Parts of features and channels that are one node each in the graph. */
const NODES: readonly (readonly [path: RegExp, node: string])[] = [
  [/^libs\/features\/([^/]+\/domain\/|streams\.)/, 'domain'],
  [/^libs\/features\/([^/]+\/views\/|projections\.)/, 'views'],
  [/^libs\/channels\/pages\//, 'pages'],
];

const nodeOf = (path: string) => NODES.find(([pattern]) => pattern.test(path))?.[1] ?? path.split('/')[1]!;

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
