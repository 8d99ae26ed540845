import type { Fields, ValuesOf } from '#libs/validation/fields.js';
import { carryOut, type Sources } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { orWhileUnavailable } from '#libs/event-log/or-while-unavailable.js';
import type { HttpRequest } from '#libs/http/http-request.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { later } from '#libs/kernel/event.js';
import { IdTaken, withFreeId } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Payments } from '#libs/payments/payments.js';
import type { Presented } from '#libs/payments/presented-payment.js';
import { mustStillBeAllowed } from '#libs/domain/credentials.js';
import { Muse } from '#libs/domain/muse.js';
import { mustNotBeSuspended } from '#libs/domain/suspension.js';
import { isOpenToSuspended } from './caller-rules.js';
import { decidedBy } from './decision.js';
import type { Instances } from './declaration.js';
import type { Followed } from './sale.js';
import type { AnyVerb } from './verb.js';

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
  execute(request: HttpRequest): Promise<Answer> {
    const { sent, values: fields, presented } = request;
    return withFreeId(async counter => {
      const context = this.contextOf(request, counter);
      if (await this.verb.isTaken?.(fields, context, this.uses)) throw new IdTaken();
      const { sale } = this.verb;
      if (!sale || sale.isFree?.(fields)) return this.carryOut(request, context);
      const wallet = sale.payer === undefined ? undefined : sent[sale.payer];
      const paid = { ...request, context, presented: presented as Presented | null };
      return this.payments.buy(paid, async () => {
        const purchase = await sale.purchase(fields, context, this.uses);
        return purchase ? { ...purchase, ...(wallet && { wallet }) } : this.carryOut(request, context);
      });
    });
  }

  private contextOf({ values: fields, context }: HttpRequest, counter: number): CommandContext {
    const ids = context.ids.from(context.requestKey, counter);
    const actor = this.verb.actor?.(fields, ids) ?? context.actor;
    return { ...context, ids, actor, decidedBy: decidedBy(this.verb) };
  }

  private async carryOut(request: HttpRequest, context: CommandContext): Promise<Answer> {
    const { verb, uses } = this;
    const { sent, values: fields, limits } = request;
    const given = await verb.given?.find(fields, context, uses, request);
    const writes = verb.writes(fields, context);
    const isOwn = writes.stream === Muse.named(context.actor);
    const outcome = await carryOut(this.journal, context, {
      writes,
      asOf: context.asOf,
      mustSeal: !verb.erases,
      ...readsOf(verb, fields, context),
      decide: (state, reads) => {
        // What was written there since the request was authorized counts, for it is what an auditor looks at.
        const own = isOwn ? (state as Muse) : ownAmong(verb.reads?.(fields, context, state), reads, context.actor);
        if (own) mustNotBeSuspended(own, isOpenToSuspended(verb, sent));
        if (own && verb.who !== 'newKey') mustStillBeAllowed(own, context.authorization);
        return verb.decide(state, fields, context, reads, given);
      },
      ...(limits && { admit: (facts, place) => limits.admit(facts, place) }),
      ...(verb.claim && { claim: facts => verb.claim!({ fields, context, given, facts }, uses) }),
    });
    if (verb.leaves && !verb.leaves(outcome.state)) throw new Error(`${verb.name} left a state that it does not know.`);
    const done = { ...outcome, fields, context, given };
    const after = await this.followUp(done);
    const { position } = outcome;
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
function readsOf({ reads }: AnyVerb, fields: Values, context: CommandContext) {
  if (!reads) return {};
  const byState = (state: unknown) => reads(fields, context, state);
  return { reads: reads.length >= READS_BY_STATE ? byState : byState(undefined) };
}
