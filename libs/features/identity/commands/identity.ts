import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Thing } from '#libs/claims/claim-streams.js';
import { Claims } from '#libs/claims/claims.js';
import { Joined, Muse } from '#libs/streams/muse.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { Wallet } from '#libs/http/fields.js';
import { validate } from '#libs/http/validate.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { agentId } from '#libs/kernel/ids.js';
import { foldName } from '#libs/kernel/names.js';
import { rule } from '#libs/kernel/refusal.js';
import { Payments } from '#libs/payments/payments.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import type { Accepted, Effect, PaidRequest, Purchase, Settled } from '#libs/payments/purchase.js';
import { verificationPrice, verificationThing, verified, walletThing } from '#libs/payments/verification.js';
import { IdentitySettings } from '../identity.settings.js';
import { newIdentity, type NewKeyHolder, RegisterDto } from '../new-identity.js';
import { checkName } from '#libs/claims/names.js';
import { issuedEmail } from '../issued-email.js';
import { tidyName } from '#libs/kernel/names.js';
import { referrer } from '../referrer.js';

export class IdentityDto extends RegisterDto {
  @Wallet({ required: true }) wallet!: string;
}

export class Identify extends Command<Answer> {
  constructor(
    readonly dto: IdentityDto,
    readonly context: Context,
    readonly paid: PaidRequest,
  ) {
    super();
  }
}

/** What the effect needs to know of the identity that was decided on before the payment. */
interface Subject extends NewKeyHolder {
  readonly created: boolean;
}

type Known = Exclude<Muse, { status: 'unknown' }>;
const IDS_MAX = 10;

export const identityPrice = (settings: PaymentSettings) =>
  verificationPrice('/api/identity', 'Registers a key as an agent, joins it and verifies its wallet', settings);

const keyThing = ({ public_key }: IdentityDto) => ({ kind: 'key', value: public_key }) as const;

/** Registers where nobody has; the request key is the public key, so that a register of the same key is the same request. */
export function registerAndJoin(muse: Muse, dto: RegisterDto, holder: NewKeyHolder, context: Context): Fact[] {
  if (muse.status !== 'unknown') return [];
  return [newIdentity(dto, holder), joined(holder, context)];
}

/** Joins who only registered, and binds the wallet that paid. */
export function joinAndVerify(muse: Muse, holder: NewKeyHolder, payment: Settled, context: Context): Fact[] {
  if (muse.status === 'unknown') return [];
  const binding = verified(muse, payment, context.integers.item('verified', context.requestKey));
  return muse.status === 'joined' ? [binding] : [joined(holder, context), binding];
}

function joined({ museId, referredBy }: NewKeyHolder, { integers, requestKey }: Context): Fact {
  return Joined({ muse_id: museId, item: integers.item('joined', requestKey), referred_by: referredBy });
}

/** Nothing is left to be bought. */
const isDone = ({ status, wallet }: Known) => status === 'joined' && wallet !== null;

@CommandHandler(Identify)
export class IdentifyHandler implements ICommandHandler<Identify> {
  constructor(
    private readonly journal: Journal,
    private readonly claims: Claims,
    private readonly payments: Payments,
    private readonly settings: PaymentSettings,
    private readonly identity: IdentitySettings,
  ) {}

  async execute(command: Identify): Promise<Answer> {
    const { museId } = await this.find(command.dto.public_key);
    const paid = { ...command.paid, museId, context: { ...command.context, actor: museId } };
    return this.payments.buy(paid, () => this.purchase(command));
  }

  private async purchase({ dto, context }: Identify): Promise<Purchase | Answer> {
    const { museId, known } = await this.find(dto.public_key);
    if (known && isDone(known)) return this.alreadyVerified(known);
    const name = tidyName(dto.name);
    const bought = { kind: 'purchase', value: `identity/${dto.public_key}` } as const;
    if (!known) await this.checkNew(dto, museId, bought, context);
    const named = { kind: 'name', value: foldName(name) } as const;
    const bound = known ? [verificationThing(museId)] : [keyThing(dto), named];
    const subject: Subject = {
      museId,
      email: issuedEmail(name, museId, this.identity.mailDomain),
      referredBy: known ? known.referred_by : await referrer(this.journal, dto.referred_by),
      created: known === null,
    };
    return {
      ...identityPrice(this.settings),
      things: [bought, ...bound, walletThing(dto.wallet)],
      owner: Muse.named(museId),
      wallet: dto.wallet,
      subject: { ...subject },
    };
  }

  /** Its own payment that is under way holds key and name already; that it is so is told as `settlement_pending`. */
  private async checkNew(dto: IdentityDto, museId: string, bought: Thing, context: Context): Promise<void> {
    if ((await this.claims.standing(bought, null)) !== null) return;
    const taken = (await this.claims.standing(keyThing(dto), Muse.named(museId))) !== null;
    rule(!taken, 'key_taken', 'This key belongs to another muse, or did.', { field: 'public_key' });
    await checkName(this.claims, tidyName(dto.name), museId, context);
  }

  private async alreadyVerified(muse: Known): Promise<Answer> {
    const { events } = await this.journal.load(Muse.of(muse.muse_id));
    const body = {
      muse_id: muse.muse_id,
      created: false,
      verified: true,
      wallet: muse.wallet,
      paid: false,
      payment: null,
    };
    return { position: events.at(-1)!.position, body };
  }

  /** The muse that has the key, or the first derived id that is free. */
  private async find(publicKey: string): Promise<{ museId: string; known: Known | null }> {
    for (let counter = 0; counter < IDS_MAX; counter += 1) {
      const museId = agentId(publicKey, counter);
      const { state } = await this.journal.load(Muse.of(museId));
      if (state.status === 'unknown') return { museId, known: null };
      if (state.public_key === publicKey) return { museId, known: state };
    }
    throw new Error(`No derived id was free within ${IDS_MAX}.`);
  }
}

/** Makes the identity that was paid for. */
@Injectable()
export class IdentityEffect implements Effect {
  readonly endpoint = 'identity';

  constructor(private readonly journal: Journal) {}

  /** Joined and verified by other payments meanwhile. */
  async isOvertaken({ data }: Accepted): Promise<boolean> {
    const { state } = await this.journal.load(Muse.of(data.muse_id));
    return state.status !== 'unknown' && isDone(state);
  }

  async apply(payment: Settled, context: Context) {
    const subject = payment.accepted.data.subject as unknown as Subject | null;
    if (subject === null) return { outcome: 'void', reason: 'forgotten' } as const;
    await this.make(payment, subject, context);
    return { outcome: 'applied' } as const;
  }

  /** What this payment made, also after another wallet was bound. */
  async answer(payment: Settled, context: Context): Promise<Answer> {
    const subject = payment.accepted.data.subject as unknown as Subject;
    const { position } = await this.make(payment, subject, context);
    const { museId, created } = subject;
    return { position, body: { muse_id: museId, created, verified: true, wallet: payment.accepted.data.payer } };
  }

  private async make(payment: Settled, holder: Subject, context: Context) {
    const writes = Muse.of(holder.museId);
    const { dto } = validate(IdentityDto, payment.accepted.data.fields ?? {});
    const asKey = { ...context, requestKey: `key/${dto.public_key}` };
    await carryOut(this.journal, asKey, { writes, decide: muse => registerAndJoin(muse, dto, holder, asKey) });
    return carryOut(this.journal, context, { writes, decide: muse => joinAndVerify(muse, holder, payment, context) });
  }
}
