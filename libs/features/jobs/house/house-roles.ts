import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { ReadModels } from '#libs/documents/read-models.js';
import { Job, JobClosed, JobPosted, JobUpdated } from '#libs/streams/job.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { unlessUnreadable } from '#libs/event-log/unreadable.js';
import { Clock } from '#libs/kernel/clock.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { HOUSE_ID } from '#libs/kernel/house.js';
import { Integers } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import { parseSkills } from '#libs/kernel/skills.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { Roles } from '#libs/views/roles.js';
import { canonicalJson } from '#libs/signing/canonical-json.js';
import { feeOf } from '../job-terms.js';
import type { HouseRoleDto } from './roles-file.js';

const HOUSE_ROLES_MAX = 1_000;

/** What a role says, in the shape of its events. The house pays no fee to itself. */
function termsOf(dto: HouseRoleDto, rails: readonly Rail[]) {
  return {
    title: dto.title.trim(),
    summary: dto.summary.trim(),
    done: dto.done.trim(),
    trial: dto.trial || null,
    terms: dto.terms || null,
    skills: parseSkills(dto.skills ?? '').skills,
    seats: Number(dto.seats || '1'),
    budget: feeOf(dto, rails)?.budget ?? null,
  };
}

/** Posts a new role, says what a known one says now, opens one that was gone or full; nothing where nothing changed. */
export function keepRole(
  job: Job,
  dto: HouseRoleDto,
  rails: readonly Rail[],
  { integers, requestKey }: Context,
): Fact[] {
  const role = dto.slug;
  const terms = termsOf(dto, rails);
  if (job.status === 'unknown') {
    const item = integers.item('job', requestKey);
    const nothing = { payment: null, project: null, again_of: null, expires_at: null };
    return [JobPosted({ role, item, poster: null, ...terms, ...nothing })];
  }
  rule(job.poster === null, 'not_the_poster', `The role ${role} is somebody’s job and none of the house.`);
  const reopens = job.status === 'closed' && (job.reason === 'removed' || hasMoreSeats(job, terms));
  return !reopens && canonicalJson(job.terms) === canonicalJson(terms) ? [] : [JobUpdated({ role, ...terms, reopens })];
}

/** Whether a role that was closed as filled has a free seat now, because its file says more of them. */
function hasMoreSeats(job: Extract<Job, { status: 'closed' }>, { seats }: { readonly seats: number }): boolean {
  return job.reason === 'filled' && seats > job.seats && seats > job.filled.size;
}

/** Closes a role that the file does not name any more. */
export function removeRole(job: Job): Fact[] {
  if (job.status !== 'open') return [];
  return [JobClosed({ role: job.role, poster: null, closed_reason: 'removed', note: null })];
}

/** What keeping the roles needs. */
export interface Keeping {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly integers: Integers;
  readonly rails: readonly Rail[];
}

/** What was written of which role: nothing of those that are as they were. */
export interface Kept {
  readonly role: string;
  readonly event: string;
}

/** Makes the house's roles what a file says. `known` tells the house's roles that there are, closed ones at will. */
export async function keepRoles(
  keeping: Keeping,
  roles: readonly HouseRoleDto[],
  known: () => Promise<readonly string[]>,
): Promise<Kept[]> {
  const kept: Kept[] = [];
  for (const dto of roles)
    kept.push(
      ...(await write(keeping, dto.slug, 'keep-house-role@1', (job, context) =>
        keepRole(job, dto, keeping.rails, context),
      )),
    );
  const named = new Set(roles.map(({ slug }) => slug));
  for (const role of await known())
    if (!named.has(role)) kept.push(...(await write(keeping, role, 'remove-house-role@1', removeRole)));
  return kept;
}

async function write(
  { journal, clock, integers }: Keeping,
  role: string,
  decidedBy: string,
  decide: (job: Job, context: Context) => Fact[],
): Promise<Kept[]> {
  const requestKey = `house-role/${role}/${randomUUID()}`;
  const context: Context = {
    ...{ actor: HOUSE_ID, at: clock.now(), requestKey, cause: requestKey, basedOn: {} },
    decidedBy,
    authorization: { mode: 'operator', reason: 'the file of the house’s roles' },
    integers,
  };
  const plan = { writes: Job.of(role), decide: (job: Job) => decide(job, context) };
  // A role that cannot be read stays as it is; it keeps neither the others nor the service from starting.
  const outcome = await unlessUnreadable(carryOut(journal, context, plan));
  return (outcome?.events ?? []).map(({ type }) => ({ role, event: type }));
}

/** Keeps the roles of the house as the operator's file says. */
@Injectable()
export class HouseRoles {
  constructor(
    private readonly journal: Journal,
    private readonly models: ReadModels,
    private readonly clock: Clock,
    private readonly integers: Integers,
    private readonly settings: PaymentSettings,
  ) {}

  async keep(roles: readonly HouseRoleDto[]): Promise<void> {
    const { journal, clock, integers, settings } = this;
    await keepRoles({ journal, clock, integers, rails: settings.rails }, roles, () => this.open());
  }

  private async open(): Promise<string[]> {
    await this.models.reachHead();
    const range = { index: 'open', equals: [false, true], order: 'asc', limit: HOUSE_ROLES_MAX } as const;
    return (await this.models.of(Roles).find(range)).map(({ id }) => id);
  }
}
