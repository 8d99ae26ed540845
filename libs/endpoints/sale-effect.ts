import { valuesOf } from '#libs/validation/fields.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { later } from '#libs/kernel/event.js';
import { withFreeId } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Accepted, Effect, Settled } from '#libs/payments/purchase.js';
import { Muse } from '#libs/domain/muse.js';
import { decidedBy } from './decision.js';
import type { Instances } from './declaration.js';
import type { AnyPaidDecision, AnySale } from './sale.js';
import type { AnyVerb } from './verb.js';

type Values = ReturnType<typeof valuesOf>;
type Applied = Awaited<ReturnType<Effect['apply']>>;

const NOTHING_LEFT = 'overtaken';

/** What a verb's sale does once the money is there: its deeds, in order, and its answer. */
export class SaleEffect implements Effect {
  readonly endpoint: string;

  constructor(
    private readonly verb: AnyVerb & Required<Pick<AnyVerb, 'sale'>>,
    private readonly journal: Journal,
    private readonly uses: Instances,
  ) {
    this.endpoint = verb.endpoint;
  }

  async isOvertaken(accepted: Accepted): Promise<boolean> {
    return (await this.sale.isOvertaken?.(accepted, this.fieldsOf(accepted), this.uses)) ?? false;
  }

  async begin(accepted: Accepted, context: CommandContext): Promise<boolean> {
    const { begin } = this.sale;
    if (!begin) return true;
    const { events } = await this.carryOut(begin, accepted, context);
    return events.length > 0;
  }

  async apply(payment: Settled, context: CommandContext): Promise<Applied> {
    const fields = this.fieldsOf(payment.accepted);
    const reason = this.sale.isVoid?.(await this.asReadNow(payment), fields) ?? null;
    if (reason !== null) return { outcome: 'void', reason };
    const { events, state } = await this.perform(payment, context);
    if (events.length > 0) return { outcome: 'applied' };
    return { outcome: 'void', reason: this.sale.nothingLeft?.(fields, state) ?? NOTHING_LEFT };
  }

  /** Who has erased itself meanwhile may have done so in another process: what this one still knows of it is gone. */
  private async asReadNow(payment: Settled): Promise<Settled> {
    const { accepted } = payment;
    const { state } = await this.journal.load(Muse.of(accepted.data.muse_id));
    if (state.status !== 'forgotten') return payment;
    return { ...payment, accepted: { ...accepted, data: { ...accepted.data, fields: null, subject: null } } };
  }

  async wageOf(payment: Settled): ReturnType<NonNullable<Effect['wageOf']>> {
    const { undo: undoing } = this.sale;
    if (!undoing) return null;
    const { state } = await this.journal.load(undoing.writes(payment));
    return undoing.wage(state, payment);
  }

  async undo(payment: Settled, context: CommandContext): Promise<boolean> {
    const { undo: undoing } = this.sale;
    if (!undoing) return false;
    const decide = (state: unknown) => undoing.decide(state, payment);
    const { events } = await carryOut(this.journal, context, { writes: undoing.writes(payment), decide });
    return events.length > 0;
  }

  async answer(payment: Settled, context: CommandContext): Promise<Answer> {
    const outcome = { payment, ...(await this.perform(payment, context)) };
    const { position } = outcome;
    const { position: behind = position } = (await this.sale.then?.(outcome, this.uses)) ?? {};
    const body = await this.sale.reply(outcome, this.fieldsOf(payment.accepted), this.uses);
    return { position: later(position, behind), body: body as JsonObject };
  }

  /** Carried out already, it answers what was written then. */
  private async perform(payment: Settled, context: CommandContext) {
    const { first, deed } = this.sale;
    if (first) await this.carryOut(first, payment, context);
    return this.carryOut(deed, payment, context);
  }

  private carryOut<P>(decision: AnyPaidDecision<P>, payment: P, context: CommandContext) {
    const requestKey = decision.requestKey?.(payment) ?? context.requestKey;
    return withFreeId(counter => {
      const ids = context.ids.from(requestKey, counter);
      const own = { ...context, requestKey, ids, decidedBy: decidedBy(decision) };
      return carryOut(this.journal, own, {
        writes: decision.writes(payment, own),
        decide: state => decision.decide(state, payment, own),
      });
    });
  }

  private get sale(): AnySale {
    return this.verb.sale;
  }

  /** They were checked when the request came; rules that became stricter since change nothing of what is paid. */
  private fieldsOf({ data }: Accepted): Values {
    return valuesOf(this.verb.fields, data.fields ?? {});
  }
}
