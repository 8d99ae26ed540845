import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Claims } from '#libs/claims/claims.js';
import { Muse, Registered } from '#libs/streams/muse.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { agentId, eventId, IdTaken, withFreeId } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import { IdentitySettings } from '../identity.settings.js';
import { newIdentity, type NewKeyHolder, RegisterDto } from '../new-identity.js';
import { claimName } from '#libs/claims/names.js';
import { issuedEmail } from '../issued-email.js';
import { tidyName } from '#libs/kernel/names.js';
import { referrer } from '../referrer.js';

export class Register extends Command<Answer> {
  constructor(
    readonly dto: RegisterDto,
    readonly context: Context,
  ) {
    super();
  }
}

/** A new identity that acts with its own key; it has not joined yet. */
export function register(muse: Muse, { dto }: Register, holder: NewKeyHolder): Fact[] {
  if (muse.status !== 'unknown') throw new IdTaken();
  return [newIdentity(dto, holder)];
}

@CommandHandler(Register)
export class RegisterHandler implements ICommandHandler<Register> {
  constructor(
    private readonly journal: Journal,
    private readonly claims: Claims,
    private readonly settings: IdentitySettings,
  ) {}

  async execute(command: Register): Promise<Answer> {
    const referredBy = await referrer(this.journal, command.dto.referred_by);
    const outcome = await withFreeId(counter => this.create(command, counter, referredBy));
    const museId = (outcome.state as Extract<Muse, { muse_id: string }>).muse_id;
    const body = { muse_id: museId, created: !outcome.repeated, profile: `/api/muse/${museId}` };
    return { body, position: outcome.position };
  }

  private create(command: Register, counter: number, referredBy: string | null) {
    const { dto } = command;
    const museId = agentId(dto.public_key, counter);
    const context = { ...command.context, actor: museId };
    const email = issuedEmail(tidyName(dto.name), museId, this.settings.mailDomain);
    return carryOut(this.journal, context, {
      writes: Muse.of(museId),
      decide: muse => register(muse, command, { museId, email, referredBy }),
      claim: async () => {
        await this.claimKey(dto.public_key, museId, context);
        await claimName(this.claims, tidyName(dto.name), museId, Registered.type, context);
      },
    });
  }

  private async claimKey(publicKey: string, museId: string, context: Context): Promise<void> {
    const owner = Muse.named(museId);
    const finishes = { event: eventId(context.requestKey, owner, Registered.type, 0) };
    const standing = await this.claims.take({ kind: 'key', value: publicKey }, { owner, finishes }, context);
    rule(standing === null, 'key_taken', 'This key belongs to another muse, or did.', { field: 'public_key' });
  }
}
