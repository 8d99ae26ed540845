import { OPERATIONS, type Operations } from './operations.generated.js';
import { wireFields, type WireFields, withQuery } from './wire.js';

/** An operation by the name of its method. */
export type OperationName = keyof typeof OPERATIONS;

/**
 * How an operation is called: `read` is a GET of the read models, `live` one of what runs now, `open` a POST without a
 * key, `ask` a question of who has a key, which the read models answer too.
 */
export type OperationKind = (typeof OPERATIONS)[OperationName]['kind'];

export const isGet = (kind: OperationKind): kind is 'read' | 'live' => kind === 'read' || kind === 'live';

/** Whether what the client has written can be waited for. */
export const canSeeWrites = (kind: OperationKind): boolean => kind === 'read' || kind === 'ask';

type NamesOf<K extends OperationKind> = {
  [N in OperationName]: (typeof OPERATIONS)[N]['kind'] extends K ? N : never;
}[OperationName];

/** What anybody may call. */
export type ReaderOperations = Pick<Operations, NamesOf<'read' | 'live'>>;

/** One request, before anybody signs it. */
export interface OperationCall {
  readonly kind: OperationKind;
  readonly path: string;
  readonly fields: WireFields;
}

/** From a program's fields to a call. */
export function toCall(name: OperationName, fields: object = {}): OperationCall {
  const { kind, path } = OPERATIONS[name];
  const given = wireFields(fields);
  if (!isGet(kind)) return { kind, path, fields: given };
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, field]) => field));
  const filled = path.replace(/:(\w+)/g, (_all, field: string) => encodeURIComponent(given[field] ?? ''));
  const rest = Object.fromEntries(Object.entries(given).filter(([field]) => !inPath.has(field)));
  return { kind, path: withQuery(filled, rest), fields: {} };
}

/** What carries out the calls that its methods make. */
export abstract class OperationRunner {
  protected abstract perform(call: OperationCall): Promise<unknown>;
}

interface Performer {
  perform(call: OperationCall): Promise<unknown>;
}

/** A base class with a method for every operation that a program may call by it. */
export function withOperations<M extends Partial<Operations>>(
  mayCall: (kind: OperationKind) => boolean,
): abstract new () => OperationRunner & M {
  abstract class Operating extends OperationRunner {}
  for (const name of Object.keys(OPERATIONS) as OperationName[]) {
    if (!mayCall(OPERATIONS[name].kind)) continue;
    const value = function (this: Performer, fields?: object) {
      return this.perform(toCall(name, fields));
    };
    Object.defineProperty(Operating.prototype, name, { value, writable: true, configurable: true });
  }
  return Operating as unknown as abstract new () => OperationRunner & M;
}
