import { FEATURES } from '#libs/features/features.js';
import type { DescribedOperation } from '#libs/endpoints/openapi/described-operation.js';
import type { Operation } from '#libs/endpoints/operation.js';

/** Declarations by the method and the path that they are described under. */
const DECLARATIONS: ReadonlyMap<string, Operation> = new Map(
  FEATURES.flatMap(
    ({ commands: verbs, queries: reads, privateQueries: asks, openActions: opens }): [string, Operation][] => [
      ...reads.map(each => [keyOf('get', each.path), each] as [string, Operation]),
      ...[...verbs, ...asks, ...opens].map(each => [keyOf('post', each.path), each] as [string, Operation]),
      ...verbs.flatMap(each => ('byGet' in each ? [[keyOf('get', each.path), each] as [string, Operation]] : [])),
    ],
  ),
);

function keyOf(method: string, path: string): string {
  return `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;
}

/** What an operation of the description was declared as. */
export const declarationOf = ({ method, path }: Pick<DescribedOperation, 'method' | 'path'>): Operation =>
  DECLARATIONS.get(keyOf(method, path))!;

/** Who may call it. */
export function callerKindOf(operation: Operation): 'joined' | 'known' | 'newKey' | 'anyone' {
  return operation.kind === 'verb' || operation.kind === 'ask' ? operation.who : 'anyone';
}
