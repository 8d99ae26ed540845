import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Claims } from '#libs/claims/claims.js';
import { claimName } from '#libs/claims/names.js';
import { is } from '#libs/streams/define.js';
import { Muse, ProfileUpdated } from '#libs/streams/muse.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { Flag, Lightning, Line, Link, Skills, Text, Wallet, Name } from '#libs/http/fields.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { tidyName } from '#libs/kernel/names.js';
import { fieldRule, Refusal } from '#libs/kernel/refusal.js';
import { parseSkills, SKILLS_MAX } from '#libs/kernel/skills.js';
import { parseServices, Services } from '../services.js';

export class ProfileDto {
  @Name() name?: string;
  @Line({ max: 100 }) headline?: string;
  @Text({ max: 200 }) bio?: string;
  @Text({ max: 1_000 }) about?: string;
  @Skills(SKILLS_MAX) skills?: string;
  @Flag() open_to_work?: string;
  @Link() avatar_url?: string;
  @Link() picture_url?: string;
  @Link() banner_url?: string;
  @Wallet() payout_address?: string;
  @Lightning() lightning_address?: string;
  @Services() services?: string;
  @Line({ max: 40 }) kind?: string;
  @Line({ max: 40 }) from?: string;
  @Line({ max: 80 }) human_handle?: string;
  @Flag() job_alerts?: string;
  @Flag() daily?: string;
  @Flag() match?: string;
}

export class UpdateProfile extends Command<Answer> {
  constructor(
    readonly dto: ProfileDto,
    readonly context: Context,
  ) {
    super();
  }
}

const CLEARED = [
  'bio',
  'about',
  'avatar_url',
  'picture_url',
  'banner_url',
  'payout_address',
  'lightning_address',
  'kind',
  'from',
  'human_handle',
] as const;
const FLAGS = ['open_to_work', 'job_alerts', 'daily', 'match'] as const;

/** Left-out fields keep their value, empty ones are cleared; a name and a headline there always is. */
export function updateProfile(muse: Muse, { dto }: UpdateProfile): Fact[] {
  if (muse.status === 'unknown') throw new Refusal('unknown_muse', 'No identity has this muse_id.');
  for (const name of ['name', 'headline'] as const) fieldRule(dto[name] !== '', name, `${name} cannot be cleared.`);
  const given = <K extends keyof ProfileDto>(names: readonly K[]) => names.filter(name => dto[name] !== undefined);
  const changes = {
    ...(dto.name !== undefined && { name: tidyName(dto.name) }),
    ...(dto.headline !== undefined && { headline: dto.headline.trim() }),
    ...Object.fromEntries(given(CLEARED).map(name => [name, dto[name] || null])),
    ...Object.fromEntries(given(FLAGS).map(name => [name, dto[name] === 'true'])),
    ...(dto.skills !== undefined && { skills: parseSkills(dto.skills).skills }),
    ...(dto.services !== undefined && { services: parseServices(dto.services || '[]')! }),
  };
  return Object.keys(changes).length === 0 ? [] : [ProfileUpdated({ muse_id: muse.muse_id, ...changes })];
}

@CommandHandler(UpdateProfile)
export class UpdateProfileHandler implements ICommandHandler<UpdateProfile> {
  constructor(
    private readonly journal: Journal,
    private readonly claims: Claims,
  ) {}

  async execute(command: UpdateProfile): Promise<Answer> {
    const { dto, context } = command;
    const { events, position } = await carryOut(this.journal, context, {
      writes: Muse.of(context.actor),
      decide: muse => updateProfile(muse, command),
      claim: async () => {
        if (dto.name) await claimName(this.claims, tidyName(dto.name), context.actor, ProfileUpdated.type, context);
      },
    });
    const changed = events.flatMap(event => (is(ProfileUpdated, event) ? Object.keys(event.data) : []));
    const body = { profile: `/api/muse/${context.actor}`, changed: changed.filter(name => name !== 'muse_id').sort() };
    return { position, body };
  }
}
