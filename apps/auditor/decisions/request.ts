import { type Asked, type Decision, SIGNED_MODES, Undecided } from '#libs/audit/decisions/decision.js';
import { Muse } from '#libs/streams/muse.js';
import { Payment } from '#libs/streams/payment.js';
import { type DtoClass, validate } from '#libs/http/validate.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { rule } from '#libs/kernel/refusal.js';
import type { Settled } from '#libs/payments/purchase.js';
import { canonicalJson } from '#libs/signing/canonical-json.js';

/** A command that an agent asks for. */
interface Requested<D extends object> {
  readonly dto: DtoClass<D>;
  /** Who may ask: as the route says. */
  readonly caller: 'joined' | 'known' | 'newKey';
  /** The stream that its handler writes into. */
  readonly stream: (dto: D, asked: Asked) => string;
  readonly decide: (dto: D, asked: Asked) => Fact[];
}

/** What a signed or bearer request decides. A bearer request does not say which one it was, so any may be tried. */
export function request<D extends object>(
  endpoint: string,
  { dto: type, caller, stream, decide }: Requested<D>,
): Decision {
  const is = (event: Event) => {
    const { authorization } = event;
    if (paymentIn(event) !== undefined) return false;
    return authorization.mode === 'signature'
      ? authorization.endpoint === endpoint
      : authorization.mode === 'bearer' && caller !== 'newKey';
  };
  return {
    name: endpoint,
    is,
    decide: asked => {
      const { dto } = validate(type, asked.fields());
      inStream(asked.event, stream(dto, asked));
      if (caller !== 'newKey') mayAsk(asked, caller);
      return decide(dto, asked);
    },
  };
}

function inStream(event: Event, stream: string): void {
  rule(event.stream === stream, 'stream', `It was asked for in ${stream}.`);
}

/** The actor as it was authorized stands in its own stream, or at the revision that the event names. */
function mayAsk({ event, own, other }: Asked, caller: 'joined' | 'known'): void {
  const stream = Muse.named(event.actor);
  const named = event.stream === stream || event.based_on[stream] !== undefined;
  rule(named, 'based_on', `It does not say on which revision of ${stream} it was authorized.`);
  const muse = event.stream === stream ? own(Muse) : other(stream, Muse);
  rule(muse.status !== 'unknown', 'unknown_muse', `${event.actor} was not registered.`);
  rule(caller === 'known' || muse.status === 'joined', 'join_first', `${event.actor} had not joined.`);
}

const paymentIn = ({ based_on }: Event) => Object.keys(based_on).find(stream => stream.startsWith('payment-'));

/** What a payment that has arrived causes: `stream` and `decide` see it as it was settled. */
export function effect(
  endpoint: string,
  stream: (payment: Settled, asked: Asked) => string,
  decide: (payment: Settled, asked: Asked) => Fact[],
): Decision {
  return {
    name: `${endpoint}, paid`,
    is: event => SIGNED_MODES.has(event.authorization.mode) && paymentIn(event) !== undefined,
    decide: asked => {
      const payment = settledIn(asked, endpoint);
      inStream(asked.event, stream(payment, asked));
      return decide(payment, asked);
    },
  };
}

/** The payment that an event names, whose request's actor, time and authorization are its own. */
function settledIn({ event, other }: Asked, endpoint: string): Settled {
  const payment = other(paymentIn(event)!, Payment);
  const settled = payment.status === 'settled' || payment.status === 'applied';
  rule(settled, 'settled', 'Its payment was not settled at the revision that it names.');
  const { accepted } = payment;
  const { authorization, data, id, at, actor } = accepted;
  rule(data.endpoint === endpoint, 'endpoint', `Its payment was for ${data.endpoint}.`);
  const same = id === event.cause && at === event.at && actor === event.actor;
  const allowed = canonicalJson(namesOf(authorization)) === canonicalJson(namesOf(event.authorization));
  rule(same && allowed, 'accepted', 'Cause, time, actor and authorization are not those of its payment’s request.');
  return payment;
}

/** Which request it was: what is sealed is sealed anew in each event. */
function namesOf(authorization: Event['authorization']): object {
  if (!('sealed' in authorization)) return authorization;
  const { sealed: _sealed, ...names } = authorization;
  return names;
}

/** A value that a decision needs; one that is not shown leaves it undecided. */
export function shown<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Undecided('What was decided on is not shown.');
  return value;
}

/** What the service or its operator does by itself, recognised by the reason that it gives. */
export function own(mode: 'service' | 'operator', reason: string, decide: (asked: Asked) => readonly Fact[]): Decision {
  const is = ({ authorization }: Event) => authorization.mode === mode && authorization.reason === reason;
  return { name: reason, is, decide };
}
