import { Type, type TSchema } from 'typebox';
import type { Fields } from '#libs/validation/fields.js';
import { faultsIn, parsedFields, type RequestClass, requestSchema } from '#libs/validation/request-class.js';
import { slipOf } from '#libs/validation/slips.js';
import { unseenIn } from '#libs/validation/unseen.js';
import type { OtherRoute, PaidEndpoint, ReadRoute, WriteRoute } from '#libs/http/routes.js';
import type { RequestFields } from '#libs/kernel/event.js';
import { Refusal, refuseFields } from '#libs/kernel/refusal.js';
import { FAULTS_MAX, type FieldFault } from '#libs/kernel/reasons.js';
import { NOT_SIGNED } from '#libs/platform/signing/signed-message.js';
import { accessOf } from './caller-rules.js';
import type { AnyAsk, AnyOpen, AnyRead } from './read.js';
import type { AnySale } from './sale.js';
import type { AnyVerb } from './verb.js';

/** What HTTP knows of the fields of a request. */
function fieldsOf(
  request: RequestClass,
  refusesSlips = false,
): Pick<WriteRoute, 'fieldNames' | 'schema' | 'parse' | 'faults'> {
  const { fields } = request;
  const faults = (sent: RequestFields) => {
    const wrong = faultsIn(request, sent);
    const named = new Set(wrong.map(({ field }) => field));
    return [...wrong, ...unseenIn(fields, sent).filter(({ field }) => !named.has(field))];
  };
  return {
    fieldNames: Object.keys(fields),
    schema: requestSchema(fields),
    faults,
    parse: sent => {
      const wrong = faults(sent);
      if (refusesSlips) refuseSlips(fields, sent, wrong);
      refuseFields(wrong);
      return parsedFields(fields, sent);
    },
  };
}

/**
 * Before the fields themselves: one that is needed and misspelt is told by the name that it was sent under. What is
 * `wrong` besides is named with it.
 */
function refuseSlips(fields: Fields, sent: RequestFields, wrong: readonly FieldFault[]): void {
  const leftOut = Object.keys(fields).filter(name => !Object.hasOwn(sent, name));
  const slips = Object.keys(sent).flatMap(field => {
    const meant = Object.hasOwn(fields, field) || NOT_SIGNED.has(field) ? undefined : slipOf(field, leftOut);
    return meant === undefined
      ? []
      : [{ field, meant, error: `There is no field ${field} here; did you mean ${meant}?` }];
  });
  if (slips.length === 0) return;
  const [{ field, error }] = slips as [(typeof slips)[0]];
  const meant = new Set(slips.map(slip => slip.meant));
  const told = slips.map(slip => ({ field: slip.field, reason: 'unknown_field', error: slip.error }) as const);
  const others = wrong.filter(fault => !meant.has(fault.field));
  throw new Refusal('unknown_field', error, { field, faults: [...told, ...others].slice(0, FAULTS_MAX) });
}

/** What HTTP knows of a verb. `price` makes the query for what a request costs. */
export function routeOfVerb(verb: AnyVerb, price?: (fields: RequestFields) => object): WriteRoute {
  const { path, endpoint, byGet, who, limits, secret, sale } = verb;
  return {
    path,
    endpoint,
    ...(byGet && { byGet }),
    caller: who,
    access: accessOf(verb),
    limits,
    ...fieldsOf(verb.request, verb.refusesSlips),
    ...(secret && { saved: false }),
    ...(sale && price && { paid: paidEndpoint(sale, price) }),
    describe: { ...verb.doc, answer: verb.answer, codes: verb.errors, ...(verb.headers && { headers: verb.headers }) },
  };
}

function paidEndpoint(sale: AnySale, price: PaidEndpoint['price']): PaidEndpoint {
  const isFree = sale.isFree;
  const { sample, usd, pricedBy } = sale;
  const offersToAll = usd !== undefined && pricedBy === undefined;
  return { price, isSold: fields => isFree?.(fields) === false, offersToAll, sample, ...(usd && { usd }) };
}

export function routeOfAsk(ask: AnyAsk): WriteRoute {
  const { path, endpoint, who, limits, request, ofTheLog } = ask;
  return {
    path,
    endpoint,
    caller: who,
    access: accessOf({ ...ask, whileLinked: true }),
    limits,
    ...fieldsOf(request),
    saved: false,
    isRead: !ofTheLog,
    describe: { ...ask.doc, answer: ask.answer, codes: ask.errors },
  };
}

const schemasOf = (fields: Fields): { readonly [name: string]: TSchema } =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { check, meaning }]) => [
      name,
      Type.Unsafe({ ...check.schema, ...(meaning && { description: meaning }) }),
    ]),
  );

/** A JSON text without a member that is a number. In a string a quote has a backslash before it, so no value looks so. */
const without = (member: string) => {
  const written = new RegExp(`"${member}":[0-9]+`, 'g');
  return (text: string) => text.replace(written, '');
};

export function routeOfRead(read: AnyRead): ReadRoute {
  const { path, bare, media, counter, eventsMax, params, query } = read;
  const describe = { ...read.doc, answer: read.answer, codes: read.errors };
  const needed = Object.keys(query).filter(name => query[name]!.presence === 'needed');
  return {
    path,
    bare,
    ...(eventsMax && { eventsMax }),
    ...(counter && { isCounted: true, validator: without(counter) }),
    describe: { ...describe, path: schemasOf(params), query: schemasOf(query), needed, ...(media && { media }) },
  };
}

export function routeOfLiveRead({ path, doc, answer, errors }: AnyRead): OtherRoute {
  return { method: 'GET', path, whileStarting: true, describe: { ...doc, answer, codes: errors } };
}

export function routeOfOpen({ path, doc, answer, errors, fields }: AnyOpen): OtherRoute {
  const schemas = Type.Object(schemasOf(fields));
  return { method: 'POST', path, describe: { ...doc, request: schemas, answer, codes: errors } };
}
