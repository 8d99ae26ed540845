import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Hire, Paid, WageStarted } from '#libs/streams/hire.js';
import type { Budget } from '#libs/streams/job.js';
import { Muse, walletOf } from '#libs/streams/muse.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { Digest, Id } from '#libs/http/fields.js';
import { validate } from '#libs/http/validate.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { Payments } from '#libs/payments/payments.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import type { Accepted, Effect, PaidRequest, Purchase, Settled } from '#libs/payments/purchase.js';
import { receiptItem } from '#libs/views/receipts.js';
import { asPoster, known, partiesOf, sameDelivery, wageThing, withDelivery } from '../hire-rules.js';

export class PayDto {
  @Id({ required: true }) hire!: string;
  @Digest() digest?: string;
}

export class Pay extends Command<Answer> {
  constructor(
    readonly dto: PayDto,
    readonly context: Context,
    readonly paid: PaidRequest,
  ) {
    super();
  }
}

type PaidHire = Extract<Hire, { status: 'paid' }>;
type Payable = Extract<Hire, { status: 'delivered' }> & { readonly budget: Budget };

interface Asked extends Pick<Pay, 'dto'> {
  readonly context: Pick<Context, 'actor'>;
}

/** Whether the poster may pay the hire now; one that is paid already may be asked for again. */
export function mayPay(hire: Hire, { dto, context }: Asked): asserts hire is Payable | PaidHire {
  known(hire);
  asPoster(hire, context);
  if (hire.status === 'paid') return;
  rule(hire.budget !== null, 'no_budget', 'The hire has no budget.');
  withDelivery(hire);
  sameDelivery(hire, dto.digest);
}

/** Whether the wage is still to be paid. */
export function isPayable(hire: Hire, command: Asked): boolean {
  try {
    mayPay(hire, command);
    return hire.status !== 'paid';
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** What a wage is paid for, as it was when its payment was checked. */
interface Subject {
  readonly hire: number;
  readonly delivery: number;
}

const subjectOf = ({ data }: Accepted) => data.subject as unknown as Subject;

/** The wage begins: nothing where the hire is paid, or what was delivered is no longer what was to be paid for. */
export function startWage(hire: Hire, accepted: Accepted): Fact[] {
  const { actor, data } = accepted;
  const { dto } = validate(PayDto, data.fields ?? {});
  if (!isPayable(hire, { dto, context: { actor } })) return [];
  const { delivery, digest } = (hire as Payable).delivery;
  if (delivery !== subjectOf(accepted).delivery) return [];
  return [WageStarted({ ...partiesOf(hire as Payable), payment: data.payment, delivery, digest: digest ?? null })];
}

/** The wage has arrived. Paid twice can only be the same payment. */
export function recordPayment(hire: Hire, payment: Settled, context: Context): Fact[] {
  const { payment: id } = payment.accepted.data;
  if (hire.status !== 'delivered' || hire.budget === null || hire.wage?.payment !== id) return [];
  const { amount, usd, token, rail, network } = hire.budget;
  const { tx, block } = payment;
  const item = context.integers.item('receipt', context.requestKey);
  const money = { amount, usd, token, rail, network, tx, block };
  return [Paid({ ...partiesOf(hire), ...hire.wage, item, ...money })];
}

@CommandHandler(Pay)
export class PayHandler implements ICommandHandler<Pay> {
  constructor(
    private readonly journal: Journal,
    private readonly payments: Payments,
    private readonly settings: PaymentSettings,
  ) {}

  execute(command: Pay): Promise<Answer> {
    return this.payments.buy(command.paid, () => this.purchase(command));
  }

  /** What is to be paid, or, where it has been paid, the answer that says so. */
  private async purchase(command: Pay): Promise<Purchase | Answer> {
    const { state: hire, events } = await this.journal.load(Hire.of(Number(command.dto.hire)));
    mayPay(hire, command);
    if (hire.status === 'paid')
      return { position: events.at(-1)!.position, body: { ...(await paidBody(this.journal, hire)), payment: null } };
    const { state: worker } = await this.journal.load(Muse.of(hire.worker));
    const payTo = walletOf(worker);
    rule(
      payTo !== null,
      'worker_has_no_wallet',
      'The worker has neither verified a wallet nor named a payout address.',
    );
    return {
      ...wage(hire, payTo, this.settings),
      things: [wageThing(hire.hire)],
      owner: Muse.named(command.context.actor),
      subject: { hire: hire.hire, delivery: hire.delivery.delivery },
    };
  }
}

/** The wage as it is offered, on the job's own rail. */
export function wage({ hire, budget }: Payable, payTo: string, { rails }: PaymentSettings) {
  return {
    path: '/api/pay',
    description: `The wage of hire ${hire}: ${budget.usd} ${budget.token} to its worker`,
    amount: BigInt(budget.amount),
    payTo,
    rails: rails.filter(({ name }) => name === budget.rail),
  };
}

async function paidBody(journal: Journal, hire: PaidHire): Promise<JsonObject> {
  return { hire: hire.hire, paid: true, receipt: await receiptItem(journal, hire.paid) };
}

/** Records a wage that has been paid. */
@Injectable()
export class PayEffect implements Effect {
  readonly endpoint = 'pay';

  constructor(private readonly journal: Journal) {}

  async begin(accepted: Accepted, context: Context): Promise<boolean> {
    const writes = Hire.of(subjectOf(accepted).hire);
    const { events } = await carryOut(this.journal, context, { writes, decide: hire => startWage(hire, accepted) });
    return events.length > 0;
  }

  async apply(payment: Settled, context: Context) {
    const { events } = await this.record(payment, context);
    return events.length > 0 ? ({ outcome: 'applied' } as const) : ({ outcome: 'void', reason: 'overtaken' } as const);
  }

  async answer(payment: Settled, context: Context): Promise<Answer> {
    const { state, position } = await this.record(payment, context);
    return { position, body: await paidBody(this.journal, state as PaidHire) };
  }

  private record(payment: Settled, context: Context) {
    const { hire } = subjectOf(payment.accepted);
    return carryOut(this.journal, context, {
      writes: Hire.of(hire),
      decide: state => recordPayment(state, payment, context),
    });
  }
}
