import { OPERATIONS, type Operations } from './operations.generated.js';
import { wireFields, type WireFields, withQuery } from './wire.js';

export type OperationName = keyof typeof OPERATIONS;

/**
 * `read`: GET of the read models. `live`: GET of current state. `open`: POST without a key. `ask`: signed question to
 * the read models.
 */
export type OperationKind = (typeof OPERATIONS)[OperationName]['kind'];

export const isGet = (kind: OperationKind): kind is 'read' | 'live' => kind === 'read' || kind === 'live';

/** Whether a request can wait for earlier writes of the client. */
export const canSeeWrites = (kind: OperationKind): boolean => kind === 'read' || kind === 'ask';

type NamesOf<K extends OperationKind> = {
  [N in OperationName]: (typeof OPERATIONS)[N]['kind'] extends K ? N : never;
}[OperationName];

/** Operations without a key. */
export type ReaderOperations = Pick<Operations, NamesOf<'read' | 'live'>>;

/** One unsigned request. */
export interface OperationCall {
  readonly kind: OperationKind;
  readonly path: string;
  readonly fields: WireFields;
}

export function toCall(name: OperationName, fields: object = {}): OperationCall {
  const { kind, path } = OPERATIONS[name];
  const values = wireFields(fields);
  if (!isGet(kind)) return { kind, path, fields: values };
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, field]) => field));
  const filled = path.replace(/:(\w+)/g, (_all, field: string) => encodeURIComponent(values[field] ?? ''));
  const rest = Object.fromEntries(Object.entries(values).filter(([field]) => !inPath.has(field)));
  return { kind, path: withQuery(filled, rest), fields: {} };
}
