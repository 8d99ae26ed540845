import { Application } from '#libs/domain/application.js';
import { Hire } from '#libs/domain/hire.js';
import { IssuerKeys, type IssuerKey } from '#libs/domain/issuer-keys.js';
import { Job, type Seat } from '#libs/domain/job.js';
import { Muse } from '#libs/domain/muse.js';
import { Payment } from '#libs/domain/payment.js';
import {
  applicationStream,
  hireStream,
  jobStream,
  museStream,
  paymentStream,
  SERVICE_STREAM,
} from '#libs/events/streams.js';
import type { Entity } from '#libs/kernel/decide.js';
import type { Event } from '#libs/kernel/event.js';

const ENTITIES: { readonly [category: string]: Entity<unknown> } = {
  muse: Muse,
  job: Job,
  application: Application,
  hire: Hire,
  payment: Payment,
  service: IssuerKeys,
};

const categoryOf = (stream: string) => stream.split('-', 1)[0]!;

/** What the log has said so far: the state of every stream, and what rules ask of events that are past. */
export class Facts {
  private readonly states = new Map<string, unknown>();
  /** The last claim of each claim stream. */
  readonly claims = new Map<string, Event>();
  /** The seats that were filled and whose hire has not opened its own stream yet, by the hire. */
  readonly seats = new Map<number, Seat>();
  /** The payments whose effect is in the log. */
  readonly effects = new Set<string>();

  muse = (id: string) => this.of(museStream(id), Muse);
  job = (slug: string) => this.of(jobStream(slug), Job);
  application = (slug: string, muse: string) => this.of(applicationStream(slug, muse), Application);
  hire = (id: number) => this.of(hireStream(id), Hire);
  payment = (id: string) => this.of(paymentStream(id), Payment);
  owner = (stream: string) => this.of(stream, Muse);
  issuerKeys = (): readonly IssuerKey[] => this.of(SERVICE_STREAM, IssuerKeys);

  /** Every payment that was accepted. */
  payments(): Exclude<Payment, { status: 'unknown' }>[] {
    const all = [...this.states].filter(([stream]) => categoryOf(stream) === 'payment');
    return all.map(([, state]) => state as Payment).filter(payment => payment.status !== 'unknown');
  }

  take(event: Event): void {
    const entity = ENTITIES[categoryOf(event.stream)];
    if (entity) this.states.set(event.stream, entity.evolve(this.of(event.stream, entity), event));
    const data = event.data as { readonly hire: number; readonly payment?: string | null };
    if (event.type === 'Claimed') this.claims.set(event.stream, event);
    if (event.type === 'SeatFilled') this.seats.set(data.hire, event as Seat);
    if (event.type === 'Hired') this.seats.delete(data.hire);
    if (EFFECTS.has(event.type) && data.payment) this.effects.add(data.payment);
  }

  private of<S>(stream: string, entity: Entity<S>): S {
    return (this.states.get(stream) as S | undefined) ?? entity.initial;
  }
}

/** The events that name the payment that they are the effect of. */
const EFFECTS: ReadonlySet<string> = new Set(['JobPosted', 'Verified', 'Paid']);
