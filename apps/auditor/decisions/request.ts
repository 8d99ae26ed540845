import { type Asked, type Decision, mustHold, type Ruled } from '#libs/verbs/decision.js';
import { Muse } from '#libs/streams/muse.js';
import { Payment } from '#libs/streams/payment.js';
import { type DtoClass, validate } from '#libs/http/validate.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import type { Accepted, Settled } from '#libs/payments/purchase.js';
import { canonicalJson } from '#libs/signing/canonical-json.js';

/** A command that an agent asks for. */
interface Requested<D extends object> {
  readonly dto: DtoClass<D>;
  /** The types that it may write, in the stream named below. */
  readonly writes: readonly EventName[];
  /** Who may ask: as the route says. */
  readonly caller: 'joined' | 'known' | 'newKey';
  /** The stream that its handler writes into. */
  readonly stream: (dto: D, asked: Asked) => string;
  readonly decide: (dto: D, asked: Asked) => Fact[];
}

/** The rules of every decision, until one of them changes. */
const VERSION = 1;

/** What a signed or bearer request decides. */
export function request<D extends object>(
  endpoint: string,
  { dto: type, writes, caller, stream, decide }: Requested<D>,
): Decision {
  return {
    name: endpoint,
    version: VERSION,
    writes: namesOf(writes),
    decide: asked => {
      askedFor(asked.event, endpoint);
      const { dto } = validate(type, asked.fields());
      inStream(asked.event, stream(dto, asked));
      if (caller !== 'newKey') mayAsk(asked, caller);
      return decide(dto, asked);
    },
  };
}

type EventName = { readonly type: string };
const namesOf = (types: readonly EventName[]) => types.map(({ type }) => type);

function askedFor({ authorization }: Event, endpoint: string): void {
  const asked = 'endpoint' in authorization ? authorization.endpoint : `the ${authorization.mode} itself`;
  mustHold(asked === endpoint, `It was asked for by ${asked}.`);
}

function inStream(event: Event, stream: string): void {
  mustHold(event.stream === stream, `It was asked for in ${stream}.`);
}

/** The actor as it was authorized stands in its own stream, or at the revision that the event names. */
function mayAsk({ event, own, other }: Asked, caller: 'joined' | 'known'): void {
  const stream = Muse.named(event.actor);
  const named = event.stream === stream || event.based_on[stream] !== undefined;
  mustHold(named, `It does not say on which revision of ${stream} it was authorized.`);
  const muse = event.stream === stream ? own(Muse) : other(stream, Muse);
  mustHold(muse.status !== 'unknown', `${event.actor} was not registered.`);
  mustHold(caller === 'known' || muse.status === 'joined', `${event.actor} had not joined.`);
}

const paymentIn = ({ based_on }: Event) => Object.keys(based_on).find(stream => stream.startsWith('payment-'));

/** A payment that has arrived, and what of it is asked for. */
interface Caused {
  readonly writes: readonly EventName[];
  readonly stream: (payment: Settled, asked: Asked) => string;
  readonly decide: (payment: Settled, asked: Asked) => Fact[];
}

/** What a payment that has arrived causes: `stream` and `decide` see it as it was settled. */
export function effect(endpoint: string, { writes, stream, decide }: Caused): Decision {
  return {
    name: `${endpoint}-effect`,
    version: VERSION,
    writes: namesOf(writes),
    decide: asked => {
      const payment = settledIn(asked, endpoint);
      inStream(asked.event, stream(payment, asked));
      return decide(payment, asked);
    },
  };
}

/** What is written before a payment is sent: `stream` and `decide` see it as it was accepted. */
export function beginning(
  endpoint: string,
  { writes, stream, decide }: { readonly [K in keyof Caused]: OnAccepted<Caused[K]> },
): Decision {
  return {
    name: `${endpoint}-begin`,
    version: VERSION,
    writes: namesOf(writes),
    decide: asked => {
      const { accepted } = paymentOf(asked, endpoint);
      inStream(asked.event, stream(accepted, asked));
      return decide(accepted, asked);
    },
  };
}

type OnAccepted<T> = T extends (payment: Settled, asked: Asked) => infer R
  ? (accepted: Accepted, asked: Asked) => R
  : T;

function settledIn(asked: Asked, endpoint: string): Settled {
  const payment = paymentOf(asked, endpoint);
  mustHold(
    payment.status === 'settled' || payment.status === 'applied',
    'Its payment was not settled at the revision that it names.',
  );
  return payment;
}

/** The payment that an event names, whose request's actor, time and authorization are its own. */
function paymentOf({ event, other }: Asked, endpoint: string): Exclude<Payment, { status: 'unknown' }> {
  const stream = paymentIn(event);
  mustHold(stream !== undefined, 'It names no payment.');
  const payment = other(stream, Payment);
  mustHold(payment.status !== 'unknown', 'Its payment was not accepted at the revision that it names.');
  const { accepted } = payment;
  const { authorization, data, id, at, actor } = accepted;
  mustHold(data.endpoint === endpoint, `Its payment was for ${data.endpoint}.`);
  const same = id === event.cause && at === event.at && actor === event.actor;
  const allowed = canonicalJson(clearOf(authorization)) === canonicalJson(clearOf(event.authorization));
  mustHold(same && allowed, 'Cause, time, actor and authorization are not those of its payment’s request.');
  return payment;
}

/** Which request it was: what is sealed is sealed anew in each event. */
function clearOf(authorization: Event['authorization']): object {
  if (!('sealed' in authorization)) return authorization;
  const { sealed: _sealed, ...clear } = authorization;
  return clear;
}

/** What the service or its operator does by itself. */
export function own(
  name: string,
  mode: 'service' | 'operator',
  writes: readonly EventName[],
  decide: (asked: Asked) => readonly Fact[],
): Decision {
  return {
    name,
    version: VERSION,
    writes: namesOf(writes),
    decide: asked => {
      const { authorization } = asked.event;
      mustHold(authorization.mode === mode, `Only the ${mode} does it by itself.`);
      return decide(asked);
    },
  };
}

/** What follows from the chain, the vault or another event, by a rule that stands with the state of its stream. */
export function ruled(name: string, writes: readonly EventName[], sentence: string): Ruled {
  return { name, version: VERSION, writes: namesOf(writes), rule: sentence };
}
