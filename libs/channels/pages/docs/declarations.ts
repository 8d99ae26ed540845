import { FEATURES } from '#libs/features/features.js';
import type { DescribedOperation } from '#libs/endpoints/openapi/described-operation.js';
import type { Operation } from '#libs/endpoints/operation.js';

/** Declarations by method and path. */
const DECLARATIONS: ReadonlyMap<string, Operation> = new Map(
  FEATURES.flatMap(({ commands, queries, privateQueries, openActions }): [string, Operation][] => [
    ...queries.map(each => [keyOf('get', each.path), each] as [string, Operation]),
    ...[...commands, ...privateQueries, ...openActions].map(
      each => [keyOf('post', each.path), each] as [string, Operation],
    ),
    ...commands.flatMap(each => ('byGet' in each ? [[keyOf('get', each.path), each] as [string, Operation]] : [])),
  ]),
);

function keyOf(method: string, path: string): string {
  return `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;
}

export const declarationOf = ({ method, path }: Pick<DescribedOperation, 'method' | 'path'>): Operation =>
  DECLARATIONS.get(keyOf(method, path))!;

export function callerKindOf(operation: Operation): 'joined' | 'known' | 'newKey' | 'anyone' {
  return operation.kind === 'verb' || operation.kind === 'ask' ? operation.who : 'anyone';
}
