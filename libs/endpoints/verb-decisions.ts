import { type Fields, knownFields, type ValuesOf } from '#libs/validation/fields.js';
import { parseFields, requestClass } from '#libs/validation/request-class.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import type { Accepted, Settled } from '#libs/payments/purchase.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { Muse } from '#libs/domain/muse.js';
import { Payment } from '#libs/domain/payment.js';
import { type Decision, mustHold, type ReplayedDecision } from './decision.js';
import type { AnyPaidDecision } from './sale.js';
import { isOpenToSuspended, needsJoining, type Who } from './caller-rules.js';
import type { AnyVerb, OlderRules } from './verb.js';

type Values = ValuesOf<Fields>;

/** How what a verb has written is decided again: by its rules as they are, and as they were. */
export function decisionsOf(verb: AnyVerb): Decision[] {
  const { name, events, version, older, sale } = verb;
  const writes = events.map(({ type }) => type);
  const rules: OlderRules[] = [{ version }, ...older];
  const own = rules.map(({ version, decide = verb.decide, fields = verb.fields, said }) => {
    const request = fields === verb.fields ? verb.request : requestClass(name, fields);
    const given = said && verb.given ? { ...verb.given, said } : verb.given;
    const then: AnyVerb = { ...verb, fields, request, decide, ...(given && { given }) };
    const again = (asked: ReplayedDecision) => decideAgain(then, knowing(fields, asked));
    return { name, version, writes, asked: { endpoint: verb.endpoint, fields }, decide: again };
  });
  const carried = (fields = verb.fields) => ({ endpoint: verb.endpoint, fields });
  const deeds = sale ? [...(sale.first ? [sale.first] : []), sale.deed, ...(sale.older ?? [])] : [];
  const begin = sale?.begin ? [paidDecision(carried(), sale.begin, acceptedIn)] : [];
  const paid = deeds.map(deed => paidDecision(carried(deed.fields), deed, settledIn));
  return [...own, ...begin, ...paid];
}

/** Hides the fields that a version did not read: a caller may have sent one that got a meaning later. */
const knowing = (fields: Fields, asked: ReplayedDecision): ReplayedDecision => ({
  ...asked,
  fields: () => knownFields(fields, asked.fields()),
});

function decideAgain(verb: AnyVerb, asked: ReplayedDecision): readonly Fact[] {
  const { event, context } = asked;
  askedFor(verb, event);
  const fields = verb.asked ? verb.asked(event) : fieldsOf(verb, asked);
  // Where it depends on the state whether it is free, that is among what is decided.
  mustHold(verb.sale?.isFree?.(fields) !== false, 'What was asked for is paid for.');
  const { stream, entity } = verb.writes(fields, context);
  inStream(event, stream);
  mayAct(verb, asked);
  if (verb.actor) mustHold(verb.actor(fields, context.ids) === event.actor, 'Its actor is not the muse that it makes.');
  const state = asked.own(entity);
  const sources = Object.entries(verb.reads?.(fields, context, state) ?? {});
  const reads = Object.fromEntries(sources.map(([name, source]) => [name, source && asked.read(source)]));
  return verb.decide(state, fields, context, reads, verb.given?.said(fields, asked));
}

function fieldsOf({ request }: AnyVerb, asked: ReplayedDecision): Values {
  return parseFields(request, asked.fields()).values;
}

/** A signed or bearer request says which one it was. */
function askedFor({ endpoint, who }: AnyVerb, { authorization }: Event): void {
  if (who === 'anyone') return;
  mustHold('endpoint' in authorization, 'Nobody asked for it.');
  mustHold(authorization.endpoint === endpoint, `It was asked for by ${authorization.endpoint}.`);
}

function inStream(event: Event, stream: string): void {
  mustHold(event.stream === stream, `It was asked for in ${stream}.`);
}

const KNOWN: readonly Who[] = ['joined', 'known'];

/** The actor as it was authorized stands in its own stream, or at the revision that the event names. */
function mayAct(verb: AnyVerb, { event, own, read, fields }: ReplayedDecision): void {
  if (!KNOWN.includes(verb.who)) return;
  const source = Muse.of(event.actor);
  const named = event.stream === source.stream || event.based_on[source.stream] !== undefined;
  mustHold(named, `It does not say on which revision of ${source.stream} it was authorized.`);
  const muse = event.stream === source.stream ? own(Muse) : read(source);
  mustHold(muse.status !== 'unknown', `${event.actor} was not registered.`);
  mustHold(!needsJoining(verb, event.actor) || muse.status === 'joined', `${event.actor} had not joined.`);
  mustHold(!muse.suspended || isOpenToSuspended(verb, fields()), `${event.actor} was suspended.`);
}

/** The requests that a decision carries out. */
type Carried = NonNullable<Decision['asked']>;

/** A decision on a payment, as the payment was then. */
function paidDecision<P>(
  carried: Carried,
  on: AnyPaidDecision<P>,
  paymentIn: (asked: ReplayedDecision, carried: Carried) => P,
) {
  const { name, version, events } = on;
  const decide = (asked: ReplayedDecision) => {
    const payment = paymentIn(asked, carried);
    const { stream, entity } = on.writes(payment, asked.context);
    inStream(asked.event, stream);
    return on.decide(asked.own(entity), payment, asked.context);
  };
  return { name, version, writes: events.map(({ type }) => type), asked: carried, decide };
}

const paymentStreamIn = ({ based_on }: Event) => Object.keys(based_on).find(stream => stream.startsWith('payment-'));

const acceptedIn = (asked: ReplayedDecision, carried: Carried): Accepted => paymentOf(asked, carried).accepted;

function settledIn(asked: ReplayedDecision, carried: Carried): Settled {
  const payment = paymentOf(asked, carried);
  mustHold(
    payment.status === 'settled' || payment.status === 'applied',
    'Its payment was not settled at the revision that it names.',
  );
  return payment;
}

/** The payment that an event names, whose request's actor, time and authorization are its own. */
function paymentOf(
  { event, read }: ReplayedDecision,
  { endpoint, fields }: Carried,
): Exclude<Payment, { status: 'unknown' }> {
  const stream = paymentStreamIn(event);
  mustHold(stream !== undefined, 'It names no payment.');
  const payment = read({ stream, entity: Payment });
  mustHold(payment.status !== 'unknown', 'Its payment was not accepted at the revision that it names.');
  const { authorization, data, id, at, actor } = payment.accepted;
  mustHold(data.endpoint === endpoint, `Its payment was for ${data.endpoint}.`);
  const same = id === event.cause && at === event.at && actor === event.actor;
  const allowed = canonicalJson(namesOf(authorization)) === canonicalJson(namesOf(event.authorization));
  mustHold(same && allowed, 'Cause, time, actor and authorization are not those of its payment’s request.');
  const sent = data.fields && knownFields(fields, data.fields);
  return { ...payment, accepted: { ...payment.accepted, data: { ...data, fields: sent } } };
}

/** Which request it was: what is sealed is sealed anew in each event. */
function namesOf(authorization: Event['authorization']): object {
  if (!('sealed' in authorization)) return authorization;
  const { sealed: _sealed, ...names } = authorization;
  return names;
}
