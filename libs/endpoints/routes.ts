import { mapMembers } from '#libs/kernel/map-members.js';
import { Type, type TSchema } from 'typebox';
import type { FieldDeclarations } from '#libs/validation/request-fields.js';
import { findFieldFaults, parseValidFields, type RequestClass, requestSchema } from '#libs/validation/request-class.js';
import { findIntendedName } from '#libs/validation/misspellings.js';
import { describeUnknownField, refuseAsUnknown } from '#libs/validation/unknown-fields.js';
import { findInvisibleFieldFaults } from '#libs/validation/invisible-fields.js';
import { ORIGIN_FIELD } from '#libs/http/service-address.js';
import type { OtherRoute, PaidEndpoint, ReadRoute, WriteRoute } from '#libs/http/routes.js';
import type { RequestFields } from '#libs/kernel/event.js';
import { refuseFields } from '#libs/kernel/refusal.js';
import type { FieldFault } from '#libs/kernel/field-faults.js';
import { UNSIGNED_FIELDS } from '#libs/platform/signing/signed-message.js';
import { buildEndpointAccess } from './caller-rules.js';
import type { AnyPrivateQuery, AnyOpenAction, AnyQuery } from './query.js';
import type { AnyPaidAction } from './paid-action.js';
import type { AnyCommand } from './command.js';

type RefusedUnknownFields = 'none' | 'misspelt' | 'all';

function buildFieldHandling(
  request: RequestClass,
  refused: RefusedUnknownFields = 'none',
): Pick<WriteRoute, 'fieldNames' | 'schema' | 'parse' | 'faults'> {
  const { fields } = request;
  const faults = (sent: RequestFields) => {
    const invalid = findFieldFaults(request, sent);
    const named = new Set(invalid.map(({ field }) => field));
    return [...invalid, ...findInvisibleFieldFaults(fields, sent).filter(({ field }) => !named.has(field))];
  };
  return {
    fieldNames: Object.keys(fields),
    schema: requestSchema(fields),
    faults,
    parse: sent => {
      const wrong = faults(sent);
      if (refused !== 'none') refuseUnknownFields(fields, sent, wrong, refused);
      refuseFields(wrong);
      return parseValidFields(fields, sent);
    },
  };
}

/** Runs before the field checks, so that a misspelt required field is reported under its sent name. */
function refuseUnknownFields(
  fields: FieldDeclarations,
  sent: RequestFields,
  wrong: readonly FieldFault[],
  refused: RefusedUnknownFields,
): void {
  const omitted = Object.keys(fields).filter(name => !Object.hasOwn(sent, name));
  const isKnown = (name: string) => Object.hasOwn(fields, name) || UNSIGNED_FIELDS.has(name) || name === ORIGIN_FIELD;
  const unknown = Object.keys(sent)
    .filter(name => !isKnown(name))
    .map(name => ({ name, meant: findIntendedName(name, omitted) }))
    .filter(({ meant }) => refused === 'all' || meant !== undefined);
  if (unknown.length === 0) return;
  const faults = unknown.map(({ name, meant }) =>
    describeUnknownField(name, meant === undefined ? '' : ` Did you mean \`${meant}\`?`),
  );
  const meant = new Set(unknown.map(each => each.meant));
  refuseAsUnknown(
    faults,
    wrong.filter(fault => !meant.has(fault.field)),
  );
}

export function buildCommandRoute(command: AnyCommand, price?: (fields: RequestFields) => object): WriteRoute {
  const { path, endpoint, byGet, who, limits, secret, sale, erases } = command;
  return {
    path,
    endpoint,
    ...(byGet && { byGet }),
    caller: who,
    access: buildEndpointAccess(command),
    limits,
    ...buildFieldHandling(command.request, erases ? 'all' : command.refusesMisspellings ? 'misspelt' : 'none'),
    ...(erases && { hasPublicRequest: true }),
    ...(secret && { saved: false }),
    ...(sale && price && { paid: buildPaidEndpoint(sale, price) }),
    describe: {
      ...command.doc,
      answer: command.answer,
      codes: command.errors,
      ...(command.statuses && { statuses: command.statuses }),
      ...(command.headers && { headers: command.headers }),
    },
  };
}

function buildPaidEndpoint(sale: AnyPaidAction, price: PaidEndpoint['price']): PaidEndpoint {
  const isFree = sale.isFree;
  const { sample, usd, pricedBy } = sale;
  const offersToAll = usd !== undefined && pricedBy === undefined;
  return { price, isSold: fields => isFree?.(fields) === false, offersToAll, sample, ...(usd && { usd }) };
}

export function buildPrivateQueryRoute(declaration: AnyPrivateQuery): WriteRoute {
  const { path, endpoint, byGet, who, limits, request, readsLog } = declaration;
  return {
    path,
    endpoint,
    ...(byGet && { byGet }),
    caller: who,
    access: buildEndpointAccess({ ...declaration, whileLinked: true }),
    limits,
    ...buildFieldHandling(request),
    saved: false,
    isRead: !readsLog,
    describe: { ...declaration.doc, answer: declaration.answer, codes: declaration.errors },
  };
}

const toFieldSchemas = (fields: FieldDeclarations): { readonly [name: string]: TSchema } =>
  mapMembers(fields, ({ value, meaning }) =>
    Type.Unsafe({ ...value.schema, ...(meaning && { description: meaning }) }),
  );

/** A quote in a JSON string is escaped, so this pattern never matches inside a value. */
const omitCounter = (member: string) => {
  const written = new RegExp(`"${member}":[0-9]+`, 'g');
  return (text: string) => text.replace(written, '');
};

export function buildQueryRoute(declaration: AnyQuery): ReadRoute {
  const { path, bare, media, counter, eventsMax, params, query, callerParameter } = declaration;
  const describe = { ...declaration.doc, answer: declaration.answer, codes: declaration.errors };
  const needed = Object.keys(query).filter(name => query[name]!.presence === 'needed');
  return {
    path,
    bare,
    ...(eventsMax && { eventsMax }),
    ...(callerParameter !== undefined && { callerParameter }),
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
