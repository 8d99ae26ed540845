import { Readable } from 'node:stream';
import type { QueryBus } from '@nestjs/cqrs';
import { valuesOf } from '#libs/validation/fields.js';
import { faultsIn } from '#libs/validation/request-class.js';
import type { FieldFault } from '#libs/kernel/reasons.js';
import { refuseFields } from '#libs/kernel/refusal.js';
import { type AskedRead, queryOf } from './handlers.js';
import { listPage } from './list-cursors.js';
import type { AnyRead, Http, Raw } from './read.js';

const made = new WeakMap<AnyRead, ReturnType<typeof make>>();

const make = (read: AnyRead) =>
  queryOf(read.name, read.uses, async ({ fields: sent, http }: AskedRead, uses) => {
    const fields = { ...read.params, ...read.query };
    const { values, withTags } = listPage({ list: read.name, fields, sent, values: valuesOf(fields, sent) });
    const answer = await read.find(values, uses, http);
    return typeof answer === 'string' ? answer : withTags(answer);
  });

/** The query of a read and its handler: the same for all who ask. */
export function queryOfRead(read: AnyRead): ReturnType<typeof make> {
  const known = made.get(read) ?? make(read);
  made.set(read, known);
  return known;
}

export const isRaw = (answer: unknown): answer is Raw =>
  typeof answer === 'string' || Buffer.isBuffer(answer) || answer instanceof Readable;

export type Parameters = { readonly [name: string]: unknown };

/** A query string as the fields of a read, checked, and the names that it does not know. */
export function parametersOf({ query, request }: AnyRead, sent: Parameters) {
  const names = Object.keys(sent);
  if (names.length === 0) return { fields: {}, ignored: [] };
  const known = names.filter(name => Object.hasOwn(query, name));
  const repeated = known.filter(name => typeof sent[name] !== 'string');
  const once = known.filter(name => typeof sent[name] === 'string');
  const fields = Object.fromEntries(once.map(name => [name, sent[name] as string]));
  refuseFields([...repeated.map(standsTwice), ...faultsIn(request, fields)]);
  return { fields, ignored: names.filter(name => !Object.hasOwn(query, name)) };
}

const standsTwice = (field: string): FieldFault => ({ field, reason: 'repeated', error: `${field} may stand once.` });

/** What a read answers, of one that is answered with documents or with text. */
export type AnswerOf<R extends { readonly find: (...given: never[]) => unknown }> = Awaited<ReturnType<R['find']>>;

/**
 * Asks a read as its own route does: the names in its path and its query string as text, checked by the same checks.
 * Throws what it refuses.
 */
export async function askRead<R extends AnyRead>(
  queries: QueryBus,
  read: R,
  sent: { readonly [name: string]: string },
  http: Http,
): Promise<AnswerOf<R>> {
  const isInPath = ([name]: readonly [string, string]) => Object.hasOwn(read.params, name);
  const all = Object.entries(sent);
  const inPath = Object.fromEntries(all.filter(isInPath));
  const { fields } = parametersOf(read, Object.fromEntries(all.filter(entry => !isInPath(entry))));
  const query = new (queryOfRead(read).query)({ fields: { ...fields, ...inPath }, http });
  return (await queries.execute(query)) as AnswerOf<R>;
}
