import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Claims } from '#libs/claims/claims.js';
import { Joined, Muse, Registered, TokenIssued } from '#libs/streams/muse.js';
import { carryOut, ownEvents } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { TokenMint } from '#libs/http/authentication/bearer.js';
import { Field, Flag, Line, Link, Lightning, Text, Wallet, Name } from '#libs/http/fields.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { agentId, COUNTERS_MAX, IdTaken, isOnce, withFreeId } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { fieldRule, Refusal } from '#libs/kernel/refusal.js';
import { parseSkills, SKILLS_MAX } from '#libs/kernel/skills.js';
import { IdentitySettings } from '../identity.settings.js';
import { claimName } from '#libs/claims/names.js';
import { issuedEmail } from '../issued-email.js';
import { NextSteps } from '../next-steps.js';
import { headlineOf, nameOf, sourceKey } from '../quickstart-defaults.js';
import { referrer } from '../referrer.js';

const SKILLS_TEXT_MAX = 1_000;

export class QuickstartDto {
  @Name() name?: string;
  @Field({
    schema: { type: 'string', description: 'Cut to 100 characters' },
    holds: value => !/\p{Cc}/u.test(value),
    mustBe: 'one line',
  })
  headline?: string;
  @Text({ max: SKILLS_TEXT_MAX }) skills?: string;
  @Text({ max: 200 }) bio?: string;
  @Line({ max: 40 }) kind?: string;
  @Line({ max: 40 }) from?: string;
  @Link() avatar_url?: string;
  @Line({ max: 80 }) referred_by?: string;
  @Line({ max: 200 }) src?: string;
  @Line({ max: 80 }) src_code?: string;
  @Text({ max: 1_000 }) about?: string;
  @Flag() open_to_work?: string;
  @Flag() job_alerts?: string;
  @Flag() daily?: string;
  @Flag() match?: string;
  @Wallet() payout_address?: string;
  @Lightning() lightning_address?: string;
}

export class Quickstart extends Command<Answer> {
  constructor(
    readonly dto: QuickstartDto,
    readonly context: Context,
  ) {
    super();
  }
}

export interface NewIdentity {
  readonly museId: string;
  readonly name: string;
  readonly headline: string;
  readonly skills: readonly string[];
  readonly email: string;
  readonly referredBy: string | null;
  readonly token: { readonly hash: string; readonly expires_at: number };
}

/** Registers, joins and issues a token in one step. */
export function quickstart(muse: Muse, { dto, context }: Quickstart, made: NewIdentity): Fact[] {
  if (muse.status !== 'unknown') throw new IdTaken();
  const { museId: muse_id, name, headline, skills, email, referredBy: referred_by, token } = made;
  const { bio, about, kind, from, avatar_url, payout_address, lightning_address } = orNull(dto);
  const flag = (value: string | undefined, otherwise: boolean) => (value ? value === 'true' : otherwise);
  const flags = {
    open_to_work: flag(dto.open_to_work, true),
    job_alerts: flag(dto.job_alerts, false),
    daily: flag(dto.daily, false),
    match: flag(dto.match, false),
  };
  const texts = { bio, about, kind, from, avatar_url, payout_address, lightning_address };
  const src = dto.src ? sourceKey(dto.src) : null;
  return [
    Registered({
      muse_id,
      name,
      headline,
      email,
      skills: [...skills],
      ...texts,
      ...flags,
      public_key: null,
      referred_by,
      src,
    }),
    Joined({ muse_id, item: context.integers.item('joined', context.requestKey), referred_by }),
    TokenIssued({ muse_id, ...token }),
  ];
}

const OPTIONAL_TEXTS = ['bio', 'about', 'kind', 'from', 'avatar_url', 'payout_address', 'lightning_address'] as const;

function orNull(dto: QuickstartDto) {
  return Object.fromEntries(OPTIONAL_TEXTS.map(name => [name, dto[name] || null])) as Record<
    (typeof OPTIONAL_TEXTS)[number],
    string | null
  >;
}

@CommandHandler(Quickstart)
export class QuickstartHandler implements ICommandHandler<Quickstart> {
  constructor(
    private readonly journal: Journal,
    private readonly claims: Claims,
    private readonly tokens: TokenMint,
    private readonly settings: IdentitySettings,
    private readonly nextSteps: NextSteps,
  ) {}

  async execute(command: Quickstart): Promise<Answer> {
    const { dto } = command;
    const given = [dto.name, dto.headline, dto.bio, dto.kind].some(text => text?.trim());
    fieldRule(given, 'name', 'Send at least one of name, headline, bio and kind.');
    const { skills, refused } = parseSkills(dto.skills ?? '');
    const dropped = [...refused, ...skills.slice(SKILLS_MAX)];
    const referredBy = await referrer(this.journal, dto.referred_by);
    const kept = skills.slice(0, SKILLS_MAX);
    // Asked for first: who is told of an outage comes again, and must not find its own name taken.
    const next = await this.nextSteps.of({ status: 'joined', skills: kept, wallet: null });
    const create = (counter: number) => this.create(command, counter, kept, referredBy);
    const before = await this.counterBefore(command);
    const outcome = before === undefined ? await withFreeId(create) : await create(before);
    const muse = outcome.state as Extract<Muse, { status: 'joined' }>;
    const adjusted = adjustments(dto, muse, referredBy);
    return {
      position: outcome.position,
      body: {
        muse_id: muse.muse_id,
        token: this.tokens.of(command.context.requestKey),
        profile: `/api/muse/${muse.muse_id}`,
        next,
        ...(Object.keys(adjusted).length > 0 && { adjusted }),
        ...(dropped.length > 0 && { skills_dropped: dropped }),
      },
    };
  }

  /**
   * The counter under which the same request made its identity before: a generated name that was taken then may be
   * free by now, and must not make a second one.
   */
  private async counterBefore({ dto, context: { requestKey } }: Quickstart): Promise<number | undefined> {
    if (dto.name || isOnce(requestKey)) return undefined;
    const counters = Array.from({ length: COUNTERS_MAX }, (_, counter) => counter);
    const streams = await Promise.all(
      counters.map(counter => this.journal.read(Muse.named(agentId(requestKey, counter)))),
    );
    return counters.find(counter => ownEvents(streams[counter]!, requestKey).length > 0);
  }

  /** A name that the caller chose is refused where it is taken; one that was generated is generated again. */
  private async create(command: Quickstart, counter: number, skills: readonly string[], referredBy: string | null) {
    const { dto, context } = command;
    const museId = agentId(context.requestKey, counter);
    const name = nameOf(dto, context.requestKey, counter);
    const email = issuedEmail(name, museId, this.settings.mailDomain);
    const token = this.tokens.issue(context.requestKey, context.at);
    const made: NewIdentity = { museId, name, headline: headlineOf(dto), skills, email, referredBy, token };
    try {
      return await carryOut(
        this.journal,
        { ...context, actor: museId },
        {
          writes: Muse.of(museId),
          decide: muse => quickstart(muse, command, made),
          claim: () => claimName(this.claims, name, museId, Registered.type, { ...context, actor: museId }),
        },
      );
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'name_taken') throw error;
      if (!dto.name) throw new IdTaken();
      throw withRetryBody(error, dto);
    }
  }
}

/** What became of fields that were not taken as they came. */
function adjustments(
  dto: QuickstartDto,
  muse: Extract<Muse, { status: 'joined' }>,
  referredBy: string | null,
): JsonObject {
  return {
    ...(muse.name !== dto.name && { name: muse.name }),
    ...(muse.headline !== dto.headline && { headline: muse.headline }),
    ...(dto.referred_by && referredBy === null && { referred_by: null }),
  };
}

/** A body that can be sent again as it is. */
function withRetryBody(taken: Refusal, dto: QuickstartDto): Refusal {
  const [name] = taken.details.more!['suggestions'] as string[];
  const body = {
    ...Object.fromEntries(Object.entries(dto).filter(([, value]) => value !== undefined)),
    name: name ?? '',
  } as JsonObject;
  return new Refusal(taken.code, taken.message, { ...taken.details, more: { ...taken.details.more, retry: { body } } });
}
