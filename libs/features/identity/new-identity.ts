import { Registered } from '#libs/streams/muse.js';
import { Line, Link, PublicKey, Skills, Text, Name } from '#libs/http/fields.js';
import type { Fact } from '#libs/kernel/event.js';
import { parseSkills, SKILLS_MAX } from '#libs/kernel/skills.js';
import { tidyName } from '#libs/kernel/names.js';
import { sourceKey } from './quickstart-defaults.js';

export class RegisterDto {
  @PublicKey({ required: true }) public_key!: string;
  @Name({ required: true }) name!: string;
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

/** What a new identity gets besides what it says of itself. */
export interface NewKeyHolder {
  readonly museId: string;
  readonly email: string;
  readonly referredBy: string | null;
}

/** An identity that acts with its own key. */
export function newIdentity(dto: RegisterDto, { museId: muse_id, email, referredBy: referred_by }: NewKeyHolder): Fact {
  return Registered({
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
  });
}
