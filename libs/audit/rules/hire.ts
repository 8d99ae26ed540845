import * as events from '#libs/streams/hire.js';
import type { EventOf } from '#libs/streams/define.js';
import { Hire, type KnownHire, hasDelivery } from '#libs/streams/hire.js';
import { hasEnded } from '#libs/streams/muse.js';
import { isOpen } from '#libs/streams/payment.js';
import { eventId } from '#libs/kernel/ids.js';
import { posterId } from '#libs/kernel/house.js';
import { canonicalJson } from '#libs/signing/canonical-json.js';
import { readRightly } from './delivery.js';
import type { Facts } from './facts.js';
import { settledWith } from './payment.js';
import { byActor, byPoster, inStream, on, unless } from './rule.js';

interface OfHire {
  readonly stream: string;
  readonly actor: string;
  readonly data: {
    readonly hire: number;
    readonly role: string;
    readonly poster: string | null;
    readonly worker: string;
  };
}

/** A rule on a hire that was made, between the parties that it was made between. */
function ofHire(event: OfHire, facts: Facts, rule: (hire: KnownHire) => readonly string[]): readonly string[] {
  const { hire: id, role, poster, worker } = event.data;
  const hire = facts.hire(id);
  if (hire.status === 'unknown') return [`Nobody was hired as ${id}.`];
  const same = hire.role === role && hire.poster === poster && hire.worker === worker;
  return [
    ...unless(inStream(event, Hire.named(id)), [same, `It names other parties than the hire ${id} has.`]),
    ...rule(hire),
  ];
}

/** The same on what was delivered. */
function ofDelivery(event: OfHire, facts: Facts, rule: (hire: Delivered) => readonly string[]): readonly string[] {
  return ofHire(event, facts, hire => (hasDelivery(hire) ? rule(hire) : ['Nothing had been delivered.']));
}

type Delivered = Extract<Hire, { delivery: unknown }>;

const byParty = ({ actor }: OfHire, { poster, worker }: KnownHire) =>
  [actor === worker || actor === posterId(poster), `${actor} is neither the poster nor the worker.`] as const;

/** A party ends it; the service only what its worker can deliver no more. */
const mayEnd = (event: EventOf<typeof events.HireEnded>, hire: KnownHire, { muse }: Facts) =>
  event.actor === 'service' && event.data.by === hire.worker
    ? ([hasEnded(muse(hire.worker)), `${hire.worker} may still deliver.`] as const)
    : byParty(event, hire);

const version = (delivery: number, hire: Delivered) =>
  unless([delivery >= 1 && delivery <= hire.delivery.delivery, `There is no delivery ${delivery}.`]);

/** `Hired` follows from the seat: the same people, terms, time and actor, and an id derived from it. */
function hired(event: EventOf<typeof events.Hired>, facts: Facts): string[] {
  const { hire } = event.data;
  const isNew = facts.hire(hire).status === 'unknown';
  const seat = facts.seats.get(hire);
  if (!seat) return unless([isNew, `${hire} is hired a second time.`], [false, 'No seat was filled for it.']);
  const same = canonicalJson(seat.data) === canonicalJson(event.data);
  return unless(
    inStream(event, Hire.named(hire)),
    [isNew, `${hire} is hired a second time.`],
    [same, 'It says something else than the seat that was filled for it.'],
    [seat.at === event.at && seat.actor === event.actor, 'Its time and actor are not those of its seat.'],
    [event.id === eventId(`${seat.id}/hired`, event.stream, event.type, 0), 'Its id is not derived from its seat.'],
  );
}

function delivered(event: EventOf<typeof events.Delivered>, hire: KnownHire, facts: Facts): string[] {
  const wage = hasDelivery(hire) ? hire.wage : null;
  const isPaidFor = wage !== null && isOpen(facts.payment(wage.payment));
  const next = hasDelivery(hire) ? hire.delivery.delivery + 1 : 1;
  const stands = hasDelivery(hire) && hire.acceptance !== null;
  return unless(
    byActor(event, hire.worker, 'the worker'),
    [hire.status === 'hired' || hire.status === 'delivered', `The hire was ${hire.status} already.`],
    [!stands, 'An earlier delivery was accepted already.'],
    [!isPaidFor, 'The wage for an earlier delivery was under way.'],
    [event.data.delivery === next, `It is called delivery ${event.data.delivery} and is number ${next}.`],
  );
}

function rechecked({ actor, data }: EventOf<typeof events.Rechecked>, hire: Delivered): string[] {
  const third = actor !== hire.worker && actor !== posterId(hire.poster);
  const before = hire.delivery.rechecks.get(actor);
  const said = before?.result ?? null;
  return unless(
    [data.by === actor && third, `${actor} is no third party.`],
    [data.delivery === hire.delivery.delivery, 'It is not of the latest delivery.'],
    [data.replaces === said, `It replaces ${data.replaces}; what ${actor} had said was ${said}.`],
  );
}

/** A wage begins for the latest delivery, as it was read by then. */
function wageStarted(event: EventOf<typeof events.WageStarted>, hire: Delivered, facts: Facts): string[] {
  const { payment, delivery, digest } = event.data;
  const state = facts.payment(payment);
  const isWage = state.status !== 'unknown' && state.accepted.data.endpoint === 'pay';
  return unless(
    byPoster(event, hire.poster),
    [hire.status === 'delivered', 'The hire was paid already.'],
    [delivery === hire.delivery.delivery, 'It is not of the latest delivery.'],
    [digest === (hire.delivery.digest ?? null), 'Its digest is not that of the delivery.'],
    [isWage, 'Its payment is none of a wage.'],
  );
}

/** The wage: the budget of the hire, once, by its poster, with a payment that reached the chain. */
function paid(event: EventOf<typeof events.Paid>, hire: Delivered, facts: Facts): string[] {
  const { payment, delivery, digest, amount, rail } = event.data;
  const { wage } = hire;
  const begun = wage?.payment === payment && wage.delivery === delivery && wage.digest === digest;
  const state = facts.payment(payment);
  const moved = state.status === 'unknown' ? null : state.accepted.data;
  const right = moved === null || (moved.amount === amount && moved.rail === rail);
  return [
    ...unless(
      byPoster(event, hire.poster),
      [hire.status === 'delivered', 'The hire was paid already.'],
      [
        hire.budget?.amount === amount && hire.budget.rail === rail,
        `${amount} on ${rail} is not the budget of the hire.`,
      ],
      [begun, 'It is not for the delivery that its wage began for.'],
      [right, `Its payment was of ${moved?.amount} on ${moved?.rail}.`],
    ),
    ...settledWith(event.data, facts),
  ];
}

/** What was counted by the wage is counted back, once, and by nobody but the service. */
function wageLost(event: EventOf<typeof events.WageLost>, hire: Delivered, facts: Facts): string[] {
  const lost = event.data;
  const wage = hire.status === 'paid' ? hire.paid : null;
  return unless(
    byActor(event, 'service', 'the service'),
    [wage !== null && canonicalJson(wage.data) === canonicalJson(lost), 'The hire was not paid by what it names.'],
    [facts.payment(lost.payment).status === 'applied', 'Its payment had not settled.'],
  );
}

export const HIRE_RULES = [
  on(events.Hired, hired),
  on(events.Delivered, (event, facts) => ofHire(event, facts, hire => delivered(event, hire, facts))),
  on(events.DeliveryRead, (event, facts) =>
    ofDelivery(event, facts, hire => [...version(event.data.delivery, hire), ...readRightly(event, hire, facts)]),
  ),
  on(events.DeliveryDrifted, (event, facts) => ofDelivery(event, facts, hire => version(event.data.delivery, hire))),
  on(events.DeliveryMatches, (event, facts) => ofDelivery(event, facts, hire => version(event.data.delivery, hire))),
  on(events.Rechecked, (event, facts) => ofDelivery(event, facts, hire => rechecked(event, hire))),
  on(events.RecheckReplied, (event, facts) =>
    ofDelivery(event, facts, hire => {
      const { recheck } = event.data;
      return unless(byParty(event, hire), [hire.recheckIds.has(recheck), `There is no recheck ${recheck}.`]);
    }),
  ),
  on(events.Accepted, (event, facts) =>
    ofDelivery(event, facts, hire => {
      const said = hire.acceptance?.positive ?? null;
      const right = event.data.was_positive === said;
      return unless(byPoster(event, hire.poster), [right, `What it replaces was ${said}.`]);
    }),
  ),
  on(events.Disputed, (event, facts) =>
    ofHire(event, facts, hire => {
      const mine = hire.dispute === null || hire.dispute.by === event.actor;
      return unless(byParty(event, hire), [mine, 'The other party disputed the hire already.']);
    }),
  ),
  on(events.DisputeWithdrawn, (event, facts) =>
    ofHire(event, facts, hire => unless([hire.dispute?.by === event.actor, `${event.actor} did not dispute it.`])),
  ),
  on(events.HireEnded, (event, facts) =>
    ofHire(event, facts, hire =>
      unless(mayEnd(event, hire, facts), [hire.status === 'hired', `The hire was ${hire.status} already.`]),
    ),
  ),
  on(events.WageStarted, (event, facts) => ofDelivery(event, facts, hire => wageStarted(event, hire, facts))),
  on(events.Paid, (event, facts) => ofDelivery(event, facts, hire => paid(event, hire, facts))),
  on(events.WageLost, (event, facts) => ofDelivery(event, facts, hire => wageLost(event, hire, facts))),
];
