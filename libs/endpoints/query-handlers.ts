import { Readable } from 'node:stream';
import type { QueryBus } from '@nestjs/cqrs';
import { parseFieldValues } from '#libs/validation/request-fields.js';
import { findFieldFaults } from '#libs/validation/request-class.js';
import type { FieldFault } from '#libs/kernel/field-faults.js';
import { refuseFields } from '#libs/kernel/refusal.js';
import { type AskedRead, createQueryHandler } from './handlers.js';
import { prepareListPage } from './list-cursors.js';
import type { AnyQuery, HttpExchange, RawAnswer } from './query.js';

const HANDLERS = new WeakMap<AnyQuery, ReturnType<typeof buildQueryHandler>>();

const buildQueryHandler = (read: AnyQuery) =>
  createQueryHandler(read.name, read.uses, async ({ fields: sent, http }: AskedRead, uses) => {
    const fields = { ...read.params, ...read.query };
    const { values, withTags } = prepareListPage({
      list: read.name,
      fields,
      sent,
      values: parseFieldValues(fields, sent),
    });
    const answer = await read.find(values, uses, http);
    return typeof answer === 'string' ? answer : withTags(answer);
  });

/** The query of a read and its handler: the same for all who ask. */
export function getQueryHandler(read: AnyQuery): ReturnType<typeof buildQueryHandler> {
  const known = HANDLERS.get(read) ?? buildQueryHandler(read);
  HANDLERS.set(read, known);
  return known;
}

export const isRawAnswer = (answer: unknown): answer is RawAnswer =>
  typeof answer === 'string' || Buffer.isBuffer(answer) || answer instanceof Readable;

export type Parameters = { readonly [name: string]: unknown };

/** A query string as the fields of a read, checked, and the names that it does not know. */
export function parseQueryParameters({ query, request }: AnyQuery, sent: Parameters) {
  const names = Object.keys(sent);
  if (names.length === 0) return { fields: {}, ignored: [] };
  const known = names.filter(name => Object.hasOwn(query, name));
  const repeated = known.filter(name => typeof sent[name] !== 'string');
  const once = known.filter(name => typeof sent[name] === 'string');
  const fields = Object.fromEntries(once.map(name => [name, sent[name] as string]));
  refuseFields([...repeated.map(createRepeatedFault), ...findFieldFaults(request, fields)]);
  return { fields, ignored: names.filter(name => !Object.hasOwn(query, name)) };
}

const createRepeatedFault = (field: string): FieldFault => ({
  field,
  reason: 'repeated',
  error: `${field} may stand once.`,
});

/** What a read answers, of one that is answered with documents or with text. */
export type QueryAnswer<R extends { readonly find: (...given: never[]) => unknown }> = Awaited<ReturnType<R['find']>>;

/**
 * Asks a read as its own route does: the names in its path and its query string as text, checked by the same checks.
 * Throws what it refuses.
 */
export async function executeQuery<R extends AnyQuery>(
  queries: QueryBus,
  read: R,
  sent: { readonly [name: string]: string },
  http: HttpExchange,
): Promise<QueryAnswer<R>> {
  const isInPath = ([name]: readonly [string, string]) => Object.hasOwn(read.params, name);
  const all = Object.entries(sent);
  const inPath = Object.fromEntries(all.filter(isInPath));
  const { fields } = parseQueryParameters(read, Object.fromEntries(all.filter(entry => !isInPath(entry))));
  const query = new (getQueryHandler(read).query)({ fields: { ...fields, ...inPath }, http });
  return (await queries.execute(query)) as QueryAnswer<R>;
}
