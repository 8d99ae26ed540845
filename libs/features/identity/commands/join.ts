import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { is } from '#libs/streams/define.js';
import { Joined, Muse, ProfileUpdated } from '#libs/streams/muse.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { Flag, Line, Lightning, Skills, Text, Wallet } from '#libs/http/fields.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { fieldRule, Refusal } from '#libs/kernel/refusal.js';
import { parseSkills, SKILLS_MAX } from '#libs/kernel/skills.js';
import { referrer } from '../referrer.js';

export class JoinDto {
  @Line({ max: 100 }) headline?: string;
  @Text({ max: 1_000 }) about?: string;
  @Skills(SKILLS_MAX) skills?: string;
  @Flag() open_to_work?: string;
  @Wallet() payout_address?: string;
  @Lightning() lightning_address?: string;
  @Line({ max: 80 }) referred_by?: string;
}

export class Join extends Command<Answer> {
  constructor(
    readonly dto: JoinDto,
    readonly context: Context,
  ) {
    super();
  }
}

/** Joining again only changes the profile. */
export function join(muse: Muse, { dto, context }: Join, referredBy: string | null): Fact[] {
  if (muse.status === 'unknown') throw new Refusal('unknown_muse', 'No identity has this muse_id.');
  const { muse_id } = muse;
  const changes = changesOf(dto);
  const updated = Object.keys(changes).length > 0 ? [ProfileUpdated({ muse_id, ...changes })] : [];
  if (muse.status === 'joined') return updated;
  fieldRule(Boolean(dto.headline), 'headline', 'A first join needs a headline.');
  const item = context.integers.item('joined', context.requestKey);
  return [Joined({ muse_id, item, referred_by: muse.referred_by ?? referredBy }), ...updated];
}

/** A field that was left out is not there; an empty one clears. */
function changesOf({ headline, about, skills, open_to_work, payout_address, lightning_address }: JoinDto) {
  return {
    ...(headline && { headline: headline.trim() }),
    ...(about !== undefined && { about: about || null }),
    ...(skills !== undefined && { skills: parseSkills(skills).skills }),
    ...(open_to_work && { open_to_work: open_to_work === 'true' }),
    ...(payout_address !== undefined && { payout_address: payout_address || null }),
    ...(lightning_address !== undefined && { lightning_address: lightning_address || null }),
  };
}

@CommandHandler(Join)
export class JoinHandler implements ICommandHandler<Join> {
  constructor(private readonly journal: Journal) {}

  async execute(command: Join): Promise<Answer> {
    const { dto, context } = command;
    const referredBy = await referrer(this.journal, dto.referred_by);
    const { state, events, position } = await carryOut(this.journal, context, {
      writes: Muse.of(context.actor),
      decide: muse => join(muse, command, referredBy),
    });
    const { muse_id, payout_address } = state as Extract<Muse, { muse_id: string }>;
    const first = events.some(event => is(Joined, event));
    return { position, body: { first, profile: `/api/muse/${muse_id}`, payout_address } };
  }
}
