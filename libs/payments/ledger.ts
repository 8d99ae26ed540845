import { type Accepted, Payment } from '#libs/streams/payment.js';
import { newEvents } from '#libs/event-log/carry-out.js';
import type { Journal, Loaded } from '#libs/event-log/journal.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { eventId, type Integers } from '#libs/kernel/ids.js';
import type { TransferAuthorization } from './chain.port.js';

/** A payment's stream as it was read. */
export type Record = Loaded<Payment>;

/** What everything that a payment makes is derived from. */
export const requestKeyOf = (payment: string) => `payment/${payment}`;

/** A payment that was accepted, in whatever state; a stream without one is never driven. */
export function acceptedOf({ state, stream }: Record): Accepted {
  if (state.status === 'unknown') throw new Error(`${stream} holds no payment.`);
  return state.accepted;
}

/** What the payer signed. Held values are erased by nobody. */
export function authorizationOf({ data }: Accepted): TransferAuthorization & { readonly signature: string } {
  if (data.pay_to === null || data.signature === null)
    throw new Error(`The key that ${data.payment} is held with is gone.`);
  const {
    payer: from,
    pay_to: to,
    amount: value,
    valid_after: validAfter,
    valid_before: validBefore,
    nonce,
    signature,
  } = data;
  return { from, to, value, validAfter, validBefore, nonce, signature };
}

/** Reads and writes the streams of payments. */
export class Ledger {
  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly integers: Integers,
  ) {}

  load(payment: string): Promise<Record> {
    return this.journal.load(Payment.of(payment));
  }

  /**
   * Writes a payment's first event as the request's own. Where somebody else was first, theirs is answered: the ids
   * are those of the payment, not of the request.
   */
  async open(payment: string, fact: Fact, request: Context): Promise<Record> {
    const stream = Payment.named(payment);
    const events = newEvents([fact], stream, {
      ...request,
      requestKey: requestKeyOf(payment),
      decidedBy: 'accept-payment@1',
    });
    return this.extended({ stream, events: [], state: Payment.initial, revision: 'none' }, events);
  }

  /**
   * Writes the service's next event at the revision that was read. A type that may come again counts its ordinal in
   * the stream. Answers the stream with what stands there, which is somebody else's where they wrote the same first.
   */
  append(record: Record, fact: Fact): Promise<Record> {
    const ordinal = record.events.filter(({ type }) => type === fact.type).length;
    const id = eventId(requestKeyOf(acceptedOf(record).data.payment), record.stream, fact.type, ordinal);
    const events = newEvents([fact], record.stream, this.serviceContext(acceptedOf(record)));
    return this.extended(
      record,
      events.map(event => ({ ...event, id })),
    );
  }

  /** What claims and effects are carried out with: the accepted request's own, so that a repetition makes the same. */
  contextOf(record: Record): Context {
    const { data, id, actor, at, authorization } = acceptedOf(record);
    const revision = record.events.findLast(({ type }) => type === 'PaymentSettled')?.revision ?? 0;
    const requestKey = requestKeyOf(data.payment);
    return {
      actor,
      at,
      requestKey,
      cause: id,
      decidedBy: `${data.endpoint}-effect@1`,
      authorization,
      basedOn: { [record.stream]: revision },
      integers: this.integers,
    };
  }

  private serviceContext({ data, id }: Accepted): Context {
    return {
      actor: 'service',
      at: this.clock.now(),
      requestKey: requestKeyOf(data.payment),
      cause: id,
      decidedBy: 'settle-payment@1',
      authorization: { mode: 'service', reason: 'the settlement of a payment' },
      basedOn: {},
      integers: this.integers,
    };
  }

  private async extended(record: Record, events: Parameters<Journal['append']>[2]): Promise<Record> {
    const stored: Event[] = await this.journal.append(record.stream, record.revision, events);
    const state = stored.reduce((state, event) => Payment.evolve(state, event), record.state);
    return { ...record, events: [...record.events, ...stored], state, revision: stored.at(-1)!.revision };
  }
}
