import { FEATURES } from '#libs/features/features.js';
import type { DescribedOperation } from '#libs/endpoints/openapi/described-operation.js';
import type { Operation } from '#libs/endpoints/operation.js';

/** Declarations by method and path. */
const DECLARATIONS: ReadonlyMap<string, Operation> = new Map(
  FEATURES.flatMap(({ commands, queries, privateQueries, openActions }) => [
    ...queries.map(each => entryOf('get', each)),
    ...[...commands, ...privateQueries, ...openActions].map(each => entryOf('post', each)),
    ...[...commands, ...privateQueries].filter(each => 'byGet' in each).map(each => entryOf('get', each)),
  ]),
);

function entryOf(method: string, operation: Operation): [string, Operation] {
  return [`${method} ${operation.path.replace(/:(\w+)/g, '{$1}')}`, operation];
}

export const declarationOf = ({ method, path }: Pick<DescribedOperation, 'method' | 'path'>): Operation =>
  DECLARATIONS.get(`${method} ${path}`)!;

export const commandOf = (name: string): Operation => declarationOf({ method: 'post', path: `/api/${name}` });

export function callerKindOf(operation: Operation): 'joined' | 'known' | 'newKey' | 'recoveryKey' | 'anyone' {
  return operation.kind === 'command' || operation.kind === 'privateQuery' ? operation.who : 'anyone';
}
