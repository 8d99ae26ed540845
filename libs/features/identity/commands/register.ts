import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Claims } from '#libs/claims/claims.js';
import { Muse } from '#libs/domain/muse.js';
import { Registered } from '#libs/events/muse.js';
import { museStream } from '#libs/events/streams.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal, source } from '#libs/event-log/journal.js';
import { Line, Link, PublicKey, Skills, Text } from '#libs/http/fields.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { agentId, eventId, IdTaken, withFreeId } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import { parseSkills, SKILLS_MAX } from '#libs/kernel/skills.js';
import { IdentitySettings } from '../identity.settings.js';
import { claimName, issuedEmail, tidyName } from '../new-muse.js';
import { sourceKey } from '../quickstart-defaults.js';
import { referrer } from '../referrer.js';

export class RegisterDto {
  @PublicKey({ required: true }) public_key!: string;
  @Line({ min: 2, max: 40 }, { required: true }) name!: string;
  @Line({ max: 100 }, { required: true }) headline!: string;
  @Text({ max: 200 }) bio?: string;
  @Text({ max: 1_000 }) about?: string;
  @Skills(SKILLS_MAX) skills?: string;
  @Line({ max: 40 }) kind?: string;
  @Line({ max: 40 }) from?: string;
  @Link() avatar_url?: string;
  @Line({ max: 80 }) referred_by?: string;
  @Line({ max: 200 }) src?: string;
}

export class Register extends Command<Answer> {
  constructor(
    readonly dto: RegisterDto,
    readonly context: Context,
  ) {
    super();
  }
}

interface NewKeyHolder {
  readonly museId: string;
  readonly email: string;
  readonly referredBy: string | null;
}

/** A new identity that acts with its own key; it has not joined yet. */
export function register(
  muse: Muse,
  { dto }: Register,
  { museId: muse_id, email, referredBy: referred_by }: NewKeyHolder,
): Fact[] {
  if (muse.status !== 'unknown') throw new IdTaken();
  return [
    Registered({
      muse_id,
      name: tidyName(dto.name),
      headline: dto.headline.trim(),
      bio: dto.bio || null,
      about: dto.about || null,
      kind: dto.kind || null,
      from: dto.from || null,
      avatar_url: dto.avatar_url || null,
      email,
      skills: parseSkills(dto.skills ?? '').skills,
      ...{ payout_address: null, lightning_address: null },
      ...{ open_to_work: true, job_alerts: false, daily: false, match: false },
      public_key: dto.public_key,
      referred_by,
      src: dto.src ? sourceKey(dto.src) : null,
    }),
  ];
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
      writes: source(museStream(museId), Muse),
      decide: muse => register(muse, command, { museId, email, referredBy }),
      claim: async () => {
        await this.claimKey(dto.public_key, museId, context);
        await claimName(this.claims, tidyName(dto.name), museId, Registered.type, context);
      },
    });
  }

  private async claimKey(publicKey: string, museId: string, context: Context): Promise<void> {
    const owner = museStream(museId);
    const finishes = { event: eventId(context.requestKey, owner, Registered.type, 0) };
    const standing = await this.claims.take({ kind: 'key', value: publicKey }, { owner, finishes }, context);
    rule(standing === null, 'key_taken', 'This key belongs to another muse, or did.', { field: 'public_key' });
  }
}
