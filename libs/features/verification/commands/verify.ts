import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Muse } from '#libs/streams/muse.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { Flag, Wallet } from '#libs/http/fields.js';
import { validate } from '#libs/http/validate.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact, Position } from '#libs/kernel/event.js';
import { rule } from '#libs/kernel/refusal.js';
import { Payments } from '#libs/payments/payments.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import type { Accepted, Effect, PaidRequest, Purchase, Settled } from '#libs/payments/purchase.js';
import { isBound, verificationPrice, verificationThing, verified, walletThing } from '#libs/payments/verification.js';

export class VerifyDto {
  @Wallet({ required: true }) wallet!: string;
  @Flag() rebind?: string;
}

export class Verify extends Command<Answer> {
  constructor(
    readonly dto: VerifyDto,
    readonly context: Context,
    readonly paid: PaidRequest,
  ) {
    super();
  }
}

type Known = Exclude<Muse, { status: 'unknown' }>;

export const verifyPrice = (settings: PaymentSettings) =>
  verificationPrice(
    '/api/verify',
    'Binds the wallet that pays to a muse: a check mark and a signed credential',
    settings,
  );

/** Free for who is verified and does not ask for another wallet. */
const isDone = (muse: Known, dto: VerifyDto) =>
  muse.wallet !== null && (dto.rebind !== 'true' || isBound(muse, dto.wallet));

/** Binds the wallet once; a muse that was erased meanwhile takes nothing any more. */
export function bindWallet(muse: Muse, payment: Settled, context: Context): Fact[] {
  return muse.status === 'unknown' ? [] : [verified(muse, payment, context)];
}

@CommandHandler(Verify)
export class VerifyHandler implements ICommandHandler<Verify> {
  constructor(
    private readonly journal: Journal,
    private readonly payments: Payments,
    private readonly settings: PaymentSettings,
  ) {}

  execute(command: Verify): Promise<Answer> {
    return this.payments.buy(command.paid, () => this.purchase(command));
  }

  private async purchase({ dto, context }: Verify): Promise<Purchase | Answer> {
    const { state: muse, events } = await this.journal.load(Muse.of(context.actor));
    rule(muse.status === 'joined', 'join_first', 'This needs an identity that has joined: POST /api/join first.');
    if (isDone(muse, dto)) return verifiedAnswer(muse, events.at(-1)!.position, { paid: false, payment: null });
    return {
      ...verifyPrice(this.settings),
      things: [verificationThing(context.actor), walletThing(dto.wallet)],
      owner: Muse.named(context.actor),
      wallet: dto.wallet,
      subject: {},
    };
  }
}

function verifiedAnswer(muse: Muse, position: Position, more: Answer['body'] = {}): Answer {
  const { wallet, verification } = muse as Known;
  const { network = null, verified_at = null, tx = null } = verification ?? {};
  return { position, body: { verified: wallet !== null, wallet, network, verified_at, tx, ...more } };
}

/** Binds a wallet whose payment has arrived. */
@Injectable()
export class VerifyEffect implements Effect {
  readonly endpoint = 'verify';

  constructor(private readonly journal: Journal) {}

  /** Verified by another payment meanwhile. */
  async isOvertaken({ data }: Accepted): Promise<boolean> {
    const { dto } = validate(VerifyDto, data.fields ?? {});
    const { state } = await this.journal.load(Muse.of(data.muse_id));
    return state.status !== 'unknown' && isDone(state, dto);
  }

  async apply(payment: Settled, context: Context) {
    const { events } = await this.bind(payment, context);
    return events.length > 0 ? ({ outcome: 'applied' } as const) : ({ outcome: 'void', reason: 'forgotten' } as const);
  }

  /** What this payment bound, also after another wallet was bound. */
  async answer(payment: Settled, context: Context): Promise<Answer> {
    const { events, state, position } = await this.bind(payment, context);
    const upTo = events.reduce((muse, event) => Muse.evolve(muse, event), state);
    return verifiedAnswer(upTo, position);
  }

  private bind(payment: Settled, context: Context) {
    return carryOut(this.journal, context, {
      writes: Muse.of(payment.accepted.data.muse_id),
      decide: muse => bindWallet(muse, payment, context),
    });
  }
}
