import type { Fields, ValuesOf } from '#libs/validation/fields.js';
import { carryOut, type Sources } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { orWhileUnavailable } from '#libs/event-log/or-while-unavailable.js';
import type { ParsedFields } from '#libs/http/routes.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import { type Fact, later, type RequestFields } from '#libs/kernel/event.js';
import { IdTaken, withFreeId } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Payments } from '#libs/payments/payments.js';
import type { PaidRequest } from '#libs/payments/purchase.js';
import { mustStillBeAllowed } from '#libs/domain/credentials.js';
import { Muse } from '#libs/domain/muse.js';
import { mustNotBeSuspended } from '#libs/domain/suspension.js';
import { type Asking, askingOf, type Received } from './acting.js';
import { isOpenToSuspended } from './caller-rules.js';
import { decidedBy } from './decision.js';
import type { Instances } from './declaration.js';
import type { Followed } from './sale.js';
import type { AnyVerb } from './verb.js';

/** A request of a verb, for the command bus. */
export interface VerbCommand extends ParsedFields {
  readonly context: Context;
  readonly paid: PaidRequest;
  /** For a verb that declares `headers`. */
  readonly received?: Received;
  /** None where nothing is limited. */
  readonly limits?: Admission;
}

/** Is told of what a request will write, and where in the log, before it is written; may refuse with 429. */
export interface Admission {
  admit(facts: readonly Fact[], place: string): Promise<void>;
}

type Values = ValuesOf<Fields>;
type Outcome = Parameters<AnyVerb['reply']>[0];

/** How many parameters a verb's `reads` has that looks at the state of the stream it writes into. */
const READS_BY_STATE = 3;

/** The one way in which every verb is carried out. */
export class VerbRunner {
  constructor(
    private readonly verb: AnyVerb,
    private readonly journal: Journal,
    private readonly payments: Payments,
    private readonly uses: Instances,
  ) {}

  /** Errors: what the verb refuses; `busy`; those of its payment; `Unavailable`. */
  execute({ sent, values: fields, context, paid, limits, received }: VerbCommand): Promise<Answer> {
    return withFreeId(async counter => {
      const asking = this.askingOf(fields, context, counter, received);
      if (await this.verb.isTaken?.(fields, asking, this.uses)) throw new IdTaken();
      const { sale } = this.verb;
      if (!sale || sale.isFree?.(fields)) return this.carryOut(sent, fields, asking, limits);
      const request = { ...paid, museId: asking.actor, context: asking.context };
      const wallet = sale.payer === undefined ? undefined : sent[sale.payer];
      return this.payments.buy(request, async () => {
        const purchase = await sale.purchase(fields, asking, this.uses);
        return purchase ? { ...purchase, ...(wallet && { wallet }) } : this.carryOut(sent, fields, asking, limits);
      });
    });
  }

  private askingOf(fields: Values, context: Context, counter: number, received?: Received): Asking {
    const decided = { ...context, decidedBy: decidedBy(this.verb) };
    const asking = askingOf(decided, counter, received);
    if (!this.verb.actor) return asking;
    return askingOf({ ...decided, actor: this.verb.actor(fields, asking.ids) }, counter);
  }

  private async carryOut(sent: RequestFields, fields: Values, asking: Asking, limits?: Admission): Promise<Answer> {
    const { verb, uses } = this;
    const given = await verb.given?.find(fields, asking, uses);
    const writes = verb.writes(fields, asking);
    const isOwn = writes.stream === Muse.named(asking.actor);
    const outcome = await carryOut(this.journal, asking.context, {
      writes,
      asOf: asking.context.asOf,
      mustSeal: !verb.erases,
      ...readsOf(verb, fields, asking),
      decide: (state, reads) => {
        // What was written there since the request was authorized counts, for it is what an auditor looks at.
        const own = isOwn ? (state as Muse) : ownAmong(verb.reads?.(fields, asking, state), reads, asking.actor);
        if (own) mustNotBeSuspended(own, isOpenToSuspended(verb, sent));
        if (own && verb.who !== 'newKey') mustStillBeAllowed(own, asking.context.authorization);
        return verb.decide(state, fields, asking, reads, given);
      },
      ...(limits && { admit: (facts, place) => limits.admit(facts, place) }),
      ...(verb.claim && { claim: facts => verb.claim!({ fields, asking, given, facts }, uses) }),
    });
    if (verb.leaves && !verb.leaves(outcome.state)) throw new Error(`${verb.name} left a state that it does not know.`);
    const { state, reads, events, repeated, position } = outcome;
    const done = { fields, asking, state, reads, events, repeated, given };
    const after = await this.followUp(done);
    return { position: later(position, after.position ?? position), body: verb.reply(done, after) as JsonObject };
  }

  /** An outage fails a request that wrote nothing. Other requests are answered from their events. */
  private async followUp(done: Outcome): Promise<Followed> {
    const { verb, uses } = this;
    if (!verb.then) return {};
    if (!verb.duringOutage || done.events.length === 0) return verb.then(done, uses);
    return orWhileUnavailable(() => verb.then!(done, uses), verb.duringOutage(done));
  }
}

/** The caller's own stream, where a verb reads it beside the one that it writes into. */
function ownAmong(sources: Sources | undefined, reads: object, actor: string): Muse | undefined {
  const name = Object.entries(sources ?? {}).find(([, source]) => source?.stream === Muse.named(actor))?.[0];
  return name === undefined ? undefined : (reads as { readonly [name: string]: Muse })[name];
}

/** What is read beside the stream itself is known before that was read, but for verbs that say otherwise. */
function readsOf({ reads }: AnyVerb, fields: Values, asking: Asking) {
  if (!reads) return {};
  const byState = (state: unknown) => reads(fields, asking, state);
  return { reads: reads.length >= READS_BY_STATE ? byState : byState(undefined) };
}
