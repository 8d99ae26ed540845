import type { FieldDeclarations } from '#libs/validation/request-fields.js';
import type { AnyPrivateQuery, AnyOpenAction, AnyQuery } from './query.js';
import type { AnyCommand } from './command.js';

/** What the clients know of declarations, in whatever language they are. */
export type Operation = AnyCommand | AnyQuery | AnyPrivateQuery | AnyOpenAction;
/** As the clients tell them apart. */
export type ClientMethodKind = 'read' | 'live' | 'ask' | 'open' | 'write';

/** The name of the method in TypeScript; in Python it is the name itself. */
export const toCamelCase = (name: string) => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

export function classifyOperation(operation: Operation): ClientMethodKind {
  if (operation.kind === 'read') return operation.live ? 'live' : 'read';
  if (operation.kind === 'verb') return operation.who === 'anyone' ? 'open' : 'write';
  return operation.kind;
}

export const fieldsOf = (operation: Operation): FieldDeclarations =>
  operation.kind === 'read' ? { ...operation.params, ...operation.query } : operation.fields;

const isInPath = ({ kind, path }: Operation, field: string) => kind === 'read' && path.includes(`:${field}`);

/** Whether the operation cannot be called without the field. */
export const isRequiredField = (operation: Operation, field: string): boolean =>
  fieldsOf(operation)[field]!.presence === 'needed' || isInPath(operation, field);

/** What makes an identity: a client adds the key, or becomes another one, so that it has methods of its own for them. */
export const IDENTITY_CREATING_OPERATIONS: ReadonlySet<string> = new Set(['quickstart', 'register', 'identity']);
/** The field of those that a client fills in. */
export const CLIENT_FILLED_FIELD = 'public_key';

/** What no name in Python may be. */
const PYTHON_KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** A name that Python takes for a member of a request: PEP 8 puts `_` behind a keyword. */
export const toPythonName = (name: string): string => (PYTHON_KEYWORDS.has(name) ? `${name}_` : name);
export const isPythonName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !PYTHON_KEYWORDS.has(name);
