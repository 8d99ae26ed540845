import { parseFieldValues } from '#libs/validation/request-fields.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { CommandResult, CommandContext } from '#libs/kernel/decide.js';
import { LOG_START, maxPosition } from '#libs/kernel/event.js';
import { formatDecisionKey, retryOnIdCollision } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { PaymentAcceptedEvent, Effect, EffectOutcome, SettledPaymentState } from '#libs/payments/purchase.js';
import { Muse } from '#libs/domain/muse.js';
import { formatDecidedBy } from './decision.js';
import type { ResolvedDependencies } from './endpoint-declaration.js';
import { type AnyPaidDecision, type AnyPaidAction, ERASED_REASON, isRefundable, voidReasonOf } from './paid-action.js';
import type { AnyCommand } from './command.js';

type FieldValueMap = ReturnType<typeof parseFieldValues>;

export class PaidActionEffect implements Effect {
  readonly endpoint: string;

  constructor(
    private readonly command: AnyCommand & Required<Pick<AnyCommand, 'sale'>>,
    private readonly journal: Journal,
    private readonly uses: ResolvedDependencies,
  ) {
    this.endpoint = command.endpoint;
  }

  async isOvertaken(accepted: PaymentAcceptedEvent): Promise<boolean> {
    return (await this.sale.isOvertaken?.(accepted, this.fieldsOf(accepted), this.uses)) ?? false;
  }

  async onAccepted(accepted: PaymentAcceptedEvent, context: CommandContext): Promise<boolean> {
    const { begin } = this.sale;
    if (!begin) return true;
    const { events } = await this.executeDecision(begin, accepted, context);
    return events.length > 0;
  }

  /** Voids a payment that settles after its post, role or request is gone: erased, deleted or closed. */
  async apply(payment: SettledPaymentState, context: CommandContext): Promise<EffectOutcome> {
    const fields = this.fieldsOf(payment.accepted);
    if (await this.isErased(payment))
      return isRefundable(this.sale) ? { outcome: 'void', reason: ERASED_REASON, basedOn: {} } : { outcome: 'applied' };
    const { events, state, basedOn = {} } = await this.perform(payment, context);
    if (events.length > 0 || !isRefundable(this.sale)) return { outcome: 'applied' };
    return { outcome: 'void', reason: voidReasonOf(this.sale, fields, state), basedOn };
  }

  /** Loads the muse, because another process may have erased it after this one read the payment. */
  private async isErased({ accepted: { data } }: SettledPaymentState): Promise<boolean> {
    const { requires } = this.sale;
    if (!requires) return false;
    if (data[requires] === null) return true;
    return (await this.journal.load(Muse.source(data.muse_id))).state.status === 'forgotten';
  }

  async findWage(payment: SettledPaymentState): ReturnType<NonNullable<Effect['findWage']>> {
    const { undo } = this.sale;
    if (!undo) return null;
    const { state } = await this.journal.load(undo.writes(payment));
    return undo.wage(state, payment);
  }

  async onReverted(payment: SettledPaymentState, context: CommandContext): Promise<boolean> {
    const { undo } = this.sale;
    if (!undo) return false;
    const decide = (state: unknown) => undo.decide(state, payment);
    const { events } = await executeCommand(this.journal, context, { writes: undo.writes(payment), decide });
    return events.length > 0;
  }

  async answer(payment: SettledPaymentState, context: CommandContext): Promise<CommandResult> {
    // Without its fields, an erased request has no effect and no other answer.
    if (!isRefundable(this.sale) && (await this.isErased(payment)))
      return { position: LOG_START, body: { delivered: false } };
    const outcome = { payment, ...(await this.perform(payment, context)) };
    const { position } = outcome;
    const { position: followUpPosition = position } = (await this.sale.then?.(outcome, this.uses)) ?? {};
    const body = await this.sale.reply(outcome, this.fieldsOf(payment.accepted), this.uses);
    return { position: maxPosition(position, followUpPosition), body: body as JsonObject };
  }

  private async perform(payment: SettledPaymentState, context: CommandContext) {
    const { first, effect } = this.sale;
    if (first) await this.executeDecision(first, payment, context);
    return this.executeDecision(effect, payment, context);
  }

  private executeDecision<P>(decision: AnyPaidDecision<P>, payment: P, context: CommandContext) {
    const decidedBy = formatDecidedBy(decision);
    const requestKey = decision.eventKey?.(context) ?? formatDecisionKey(context.cause, decidedBy);
    return retryOnIdCollision(counter => {
      const ids = context.ids.from(requestKey, counter);
      const decisionContext = { ...context, requestKey, ids, decidedBy };
      return executeCommand(this.journal, decisionContext, {
        writes: decision.writes(payment, decisionContext),
        ...(decision.reads && { reads: decision.reads(payment) }),
        decide: (state, reads) => decision.decide(state, payment, decisionContext, reads),
      });
    });
  }

  private get sale(): AnyPaidAction {
    return this.command.sale;
  }

  /** Skips the checks: rules that became stricter must not affect a paid request. */
  private fieldsOf({ data }: PaymentAcceptedEvent): FieldValueMap {
    return parseFieldValues(this.command.fields, data.fields ?? {});
  }
}
