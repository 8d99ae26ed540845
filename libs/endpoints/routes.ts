import { Type, type TSchema } from 'typebox';
import type { FieldDeclarations } from '#libs/validation/request-fields.js';
import { findFieldFaults, parseValidFields, type RequestClass, requestSchema } from '#libs/validation/request-class.js';
import { findIntendedName } from '#libs/validation/misspellings.js';
import { findInvisibleFieldFaults } from '#libs/validation/invisible-characters.js';
import type { OtherRoute, PaidEndpoint, ReadRoute, WriteRoute } from '#libs/http/routes.js';
import type { RequestFields } from '#libs/kernel/event.js';
import { Refusal, refuseFields } from '#libs/kernel/refusal.js';
import { FIELD_FAULTS_MAX, type FieldFault } from '#libs/kernel/field-faults.js';
import { UNSIGNED_FIELDS } from '#libs/platform/signing/signed-message.js';
import { buildEndpointAccess } from './caller-rules.js';
import type { AnyPrivateQuery, AnyOpenAction, AnyQuery } from './query.js';
import type { AnyPaidAction } from './paid-action.js';
import type { AnyCommand } from './command.js';

/** What HTTP knows of the fields of a request. */
function buildFieldHandling(
  request: RequestClass,
  refusesSlips = false,
): Pick<WriteRoute, 'fieldNames' | 'schema' | 'parse' | 'faults'> {
  const { fields } = request;
  const faults = (sent: RequestFields) => {
    const wrong = findFieldFaults(request, sent);
    const named = new Set(wrong.map(({ field }) => field));
    return [...wrong, ...findInvisibleFieldFaults(fields, sent).filter(({ field }) => !named.has(field))];
  };
  return {
    fieldNames: Object.keys(fields),
    schema: requestSchema(fields),
    faults,
    parse: sent => {
      const wrong = faults(sent);
      if (refusesSlips) refuseMisspellings(fields, sent, wrong);
      refuseFields(wrong);
      return parseValidFields(fields, sent);
    },
  };
}

/**
 * Before the fields themselves: one that is needed and misspelt is told by the name that it was sent under. What is
 * `wrong` besides is named with it.
 */
function refuseMisspellings(fields: FieldDeclarations, sent: RequestFields, wrong: readonly FieldFault[]): void {
  const leftOut = Object.keys(fields).filter(name => !Object.hasOwn(sent, name));
  const slips = Object.keys(sent).flatMap(field => {
    const meant =
      Object.hasOwn(fields, field) || UNSIGNED_FIELDS.has(field) ? undefined : findIntendedName(field, leftOut);
    return meant === undefined
      ? []
      : [{ field, meant, error: `There is no field ${field} here; did you mean ${meant}?` }];
  });
  if (slips.length === 0) return;
  const [{ field, error }] = slips as [(typeof slips)[0]];
  const meant = new Set(slips.map(slip => slip.meant));
  const told = slips.map(slip => ({ field: slip.field, reason: 'unknown_field', error: slip.error }) as const);
  const others = wrong.filter(fault => !meant.has(fault.field));
  throw new Refusal('unknown_field', error, { field, faults: [...told, ...others].slice(0, FIELD_FAULTS_MAX) });
}

/** What HTTP knows of a verb. `price` makes the query for what a request costs. */
export function buildCommandRoute(verb: AnyCommand, price?: (fields: RequestFields) => object): WriteRoute {
  const { path, endpoint, byGet, who, limits, secret, sale } = verb;
  return {
    path,
    endpoint,
    ...(byGet && { byGet }),
    caller: who,
    access: buildEndpointAccess(verb),
    limits,
    ...buildFieldHandling(verb.request, verb.refusesMisspellings),
    ...(secret && { saved: false }),
    ...(sale && price && { paid: buildPaidEndpoint(sale, price) }),
    describe: { ...verb.doc, answer: verb.answer, codes: verb.errors, ...(verb.headers && { headers: verb.headers }) },
  };
}

function buildPaidEndpoint(sale: AnyPaidAction, price: PaidEndpoint['price']): PaidEndpoint {
  const isFree = sale.isFree;
  const { sample, usd, pricedBy } = sale;
  const offersToAll = usd !== undefined && pricedBy === undefined;
  return { price, isSold: fields => isFree?.(fields) === false, offersToAll, sample, ...(usd && { usd }) };
}

export function buildPrivateQueryRoute(ask: AnyPrivateQuery): WriteRoute {
  const { path, endpoint, who, limits, request, ofTheLog } = ask;
  return {
    path,
    endpoint,
    caller: who,
    access: buildEndpointAccess({ ...ask, whileLinked: true }),
    limits,
    ...buildFieldHandling(request),
    saved: false,
    isRead: !ofTheLog,
    describe: { ...ask.doc, answer: ask.answer, codes: ask.errors },
  };
}

const toFieldSchemas = (fields: FieldDeclarations): { readonly [name: string]: TSchema } =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { check, meaning }]) => [
      name,
      Type.Unsafe({ ...check.schema, ...(meaning && { description: meaning }) }),
    ]),
  );

/** A JSON text without a member that is a number. In a string a quote has a backslash before it, so no value looks so. */
const omitCounter = (member: string) => {
  const written = new RegExp(`"${member}":[0-9]+`, 'g');
  return (text: string) => text.replace(written, '');
};

export function buildQueryRoute(read: AnyQuery): ReadRoute {
  const { path, bare, media, counter, eventsMax, params, query } = read;
  const describe = { ...read.doc, answer: read.answer, codes: read.errors };
  const needed = Object.keys(query).filter(name => query[name]!.presence === 'needed');
  return {
    path,
    bare,
    ...(eventsMax && { eventsMax }),
    ...(counter && { isCounted: true, validator: omitCounter(counter) }),
    describe: {
      ...describe,
      path: toFieldSchemas(params),
      query: toFieldSchemas(query),
      needed,
      ...(media && { media }),
    },
  };
}

export function buildLiveQueryRoute({ path, doc, answer, errors }: AnyQuery): OtherRoute {
  return { method: 'GET', path, whileStarting: true, describe: { ...doc, answer, codes: errors } };
}

export function buildOpenActionRoute({ path, doc, answer, errors, fields }: AnyOpenAction): OtherRoute {
  const schemas = Type.Object(toFieldSchemas(fields));
  return { method: 'POST', path, describe: { ...doc, request: schemas, answer, codes: errors } };
}
