import { type JsonObject, toText } from '#libs/kernel/json.js';
import type { Operation } from './described-service.js';
import { ownFields } from './hostile-requests.js';

/** Texts at the edges of ids, numbers, positions, slugs and lists. */
export const EDGE_TEXTS: readonly string[] = ['0', '-1', '9'.repeat(12), '9'.repeat(400), '\u00a0', '%00', '__proto__'];

/** Values for callers that may also send others than texts. */
export const EDGE_VALUES: readonly unknown[] = ['0', -1, '9'.repeat(12), '9'.repeat(400), '', '\u00a0'];

type Fields = { readonly [name: string]: unknown };

/** Replaces each of the fields by each value, and all of them at once. */
export function* withEdges(fields: Fields, names: readonly string[], values: readonly unknown[]): Generator<Fields> {
  for (const value of values) {
    for (const name of names) yield { ...fields, [name]: value };
    yield Object.fromEntries(names.map(name => [name, value]));
  }
}

/** Creates bodies from the example of an operation, which names `existing` things. */
export function edgeBodies(operation: Operation, existing: JsonObject): Generator<Fields> {
  const names = ownFields(operation).map(({ name }) => name);
  const example = Object.entries(operation.request!.example ?? {}).map(([name, value]) => [
    name,
    existing[name] ?? value,
  ]);
  return withEdges(Object.fromEntries(example) as Fields, names, EDGE_VALUES);
}

/** Creates addresses of a read with each value in each parameter of its query and path. */
export function* edgeTargets({ path, parameters }: Operation, existing: JsonObject): Generator<string> {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const inQuery = parameters.flatMap(each => (each['in'] === 'query' ? [each['name'] as string] : []));
  for (const name of [...inPath, ...inQuery].filter(each => each !== 'wait'))
    for (const value of EDGE_TEXTS) {
      const values: JsonObject = { ...existing, [name]: value };
      const filled = path.replace(/\{(\w+)\}/g, (_all, each: string) => encodeURIComponent(toText(values[each])));
      yield inPath.includes(name) ? filled : `${filled}?${name}=${encodeURIComponent(value)}`;
    }
}
