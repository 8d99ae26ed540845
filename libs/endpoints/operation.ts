import type { FieldDeclarations } from '#libs/validation/request-fields.js';
import type { AnyPrivateQuery, AnyOpenAction, AnyQuery } from './query.js';
import type { AnyCommand } from './command.js';

export type Operation = AnyCommand | AnyQuery | AnyPrivateQuery | AnyOpenAction;
export type ClientMethodKind = 'read' | 'live' | 'ask' | 'open' | 'write';

export const toCamelCase = (name: string) => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

export function classifyOperation(operation: Operation): ClientMethodKind {
  if (operation.kind === 'query') return operation.live ? 'live' : 'read';
  if (operation.kind === 'privateQuery') return 'ask';
  return operation.kind === 'command' && operation.who !== 'anyone' ? 'write' : 'open';
}

export const fieldsOf = (operation: Operation): FieldDeclarations =>
  operation.kind === 'query' ? { ...operation.params, ...operation.query } : operation.fields;

const isInPath = ({ kind, path }: Operation, field: string) => kind === 'query' && path.includes(`:${field}`);

export const isRequiredField = (operation: Operation, field: string): boolean =>
  fieldsOf(operation)[field]!.presence === 'needed' || isInPath(operation, field);

/** Operations that create an identity. Clients wrap them, because they add the key or switch identity. */
export const IDENTITY_CREATING_OPERATIONS: ReadonlySet<string> = new Set(['quickstart', 'register', 'identity']);
export const CLIENT_FILLED_FIELD = 'public_key';

const PYTHON_KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** PEP 8 appends `_` to a keyword. */
export const toPythonName = (name: string): string => (PYTHON_KEYWORDS.has(name) ? `${name}_` : name);
export const isPythonName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !PYTHON_KEYWORDS.has(name);
