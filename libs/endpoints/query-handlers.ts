import { Readable } from 'node:stream';
import type { QueryBus } from '@nestjs/cqrs';
import { parseFieldValues } from '#libs/validation/request-fields.js';
import { findFieldFaults } from '#libs/validation/request-class.js';
import { refuseUnknownParameters } from '#libs/validation/unknown-parameters.js';
import type { FieldFault } from '#libs/kernel/field-faults.js';
import { refuseFields } from '#libs/kernel/refusal.js';
import { type QueryInput, createQueryHandler } from './handlers.js';
import { prepareListPage } from './list-cursors.js';
import type { AnyQuery, HttpExchange, RawAnswer } from './query.js';

const HANDLERS = new WeakMap<AnyQuery, ReturnType<typeof buildQueryHandler>>();

const buildQueryHandler = (declaration: AnyQuery) =>
  createQueryHandler(declaration.name, declaration.uses, async ({ fields: sent, http }: QueryInput, uses) => {
    const fields = { ...declaration.params, ...declaration.query };
    const { values, withTags } = prepareListPage({
      list: declaration.name,
      fields,
      sent,
      values: parseFieldValues(fields, sent),
    });
    const answer = await declaration.find(values, uses, http);
    return typeof answer === 'string' ? answer : withTags(answer);
  });

export function getQueryHandler(declaration: AnyQuery): ReturnType<typeof buildQueryHandler> {
  const handler = HANDLERS.get(declaration) ?? buildQueryHandler(declaration);
  HANDLERS.set(declaration, handler);
  return handler;
}

export const isRawAnswer = (answer: unknown): answer is RawAnswer =>
  typeof answer === 'string' || Buffer.isBuffer(answer) || answer instanceof Readable;

export type Parameters = { readonly [name: string]: unknown };

export function parseQueryParameters({ query, request }: AnyQuery, sent: Parameters, refusesUnknown = false) {
  const names = Object.keys(sent);
  if (names.length === 0) return { fields: {}, ignored: [] };
  const declared = names.filter(name => Object.hasOwn(query, name));
  const repeated = declared.filter(name => typeof sent[name] !== 'string');
  const single = declared.filter(name => typeof sent[name] === 'string');
  const fields = Object.fromEntries(single.map(name => [name, sent[name] as string]));
  const findFaults = () => [...repeated.map(createRepeatedFault), ...findFieldFaults(request, fields)];
  if (refusesUnknown) refuseUnknownParameters(names, Object.keys(query), findFaults);
  refuseFields(findFaults());
  return { fields, ignored: names.filter(name => !Object.hasOwn(query, name)) };
}

const createRepeatedFault = (field: string): FieldFault => ({
  field,
  reason: 'repeated',
  error: `\`${field}\` may only be sent once.`,
});

export type QueryAnswer<R extends { readonly find: (...given: never[]) => unknown }> = Awaited<ReturnType<R['find']>>;

/** Runs a query with the same checks as its own route. Throws its refusals. */
export async function executeQuery<R extends AnyQuery>(
  queries: QueryBus,
  declaration: R,
  sent: { readonly [name: string]: string },
  http: HttpExchange,
): Promise<QueryAnswer<R>> {
  const isInPath = ([name]: readonly [string, string]) => Object.hasOwn(declaration.params, name);
  const all = Object.entries(sent);
  const inPath = Object.fromEntries(all.filter(isInPath));
  const { fields } = parseQueryParameters(declaration, Object.fromEntries(all.filter(entry => !isInPath(entry))));
  const query = new (getQueryHandler(declaration).query)({ fields: { ...fields, ...inPath }, http });
  return (await queries.execute(query)) as QueryAnswer<R>;
}
