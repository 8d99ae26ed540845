import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { skipUnreadable } from '#libs/event-log/unreadable-event.js';
import { Clock } from '#libs/kernel/clock.js';
import type { Fact } from '#libs/kernel/event.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { Integers } from '#libs/kernel/ids.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { isFilled, Job, JobClosed, JobPosted, JobUpdated } from './domain/job.js';
import { type DecisionContext, systemContext, withIds } from '#libs/kernel/decide.js';
import {
  formatDecidedBy,
  type Decision,
  defineDecision,
  assertInStream,
  type ReplayedDecision,
  requireVisible,
} from '#libs/endpoints/decision.js';
import { Roles } from './views/roles.js';
import type { HouseRole } from './roles-file.js';
import { rule } from '#libs/kernel/refusal.js';
import { RAILS } from '#libs/payments/rails.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import type { EventOf } from '#libs/domain/define.js';
import { givenFields } from '#libs/domain/fields.js';
import { JOB_TEXTS } from './domain/job-fields.js';
import { mapMembers } from '#libs/kernel/map-members.js';
import { feeOf, termsOf } from './job-terms.js';
import { payTermOf } from './pay-term.js';

const UNSET = { payment: null, project: null, again_of: null, expires_at: null };

/** Posts a new role, or updates, reopens or closes an existing one. Returns nothing if nothing changed. */
export function syncRole(
  job: Job,
  houseRole: HouseRole,
  rails: readonly Rail[],
  { ids }: Pick<DecisionContext, 'ids'>,
): Fact[] {
  const role = houseRole.slug;
  // The house pays no fee to itself.
  const budget = feeOf(houseRole, rails)?.budget ?? null;
  const terms = { ...termsOf(houseRole), budget, ...payTermOf(houseRole, budget) };
  if (job.status === 'unknown') {
    const item = ids.item('job');
    return [JobPosted({ role, item, poster: null, ...terms, ...UNSET })];
  }
  rule(
    job.poster === null,
    'not_the_poster',
    `The slug ${role} belongs to the job of an agent. Choose another slug for this job.`,
  );
  const reopens = job.status === 'closed' && (job.reason === 'removed' || hasMoreSeats(job, terms));
  const closes = (job.status === 'open' || reopens) && terms.seats <= job.filled.size;
  // A replay takes the terms from the events, so a closing role repeats its terms even if they did not change.
  const updates = reopens || closes || canonicalJson(job.terms) !== canonicalJson(terms);
  return [
    ...(updates ? [JobUpdated({ role, ...terms, reopens })] : []),
    ...(closes ? [closedEvent(role, 'filled')] : []),
  ];
}

const closedEvent = (role: string, closed_reason: 'filled' | 'removed') =>
  JobClosed({ role, poster: null, closed_reason, note: null });

function hasMoreSeats(job: Extract<Job, { status: 'closed' }>, { seats }: { readonly seats: number }): boolean {
  return isFilled(job) && seats > job.seats && seats > job.filled.size;
}

export const keepHouseRole = defineDecision('keep-house-role', {
  by: 'operator',
  actor: SYSTEM_ACCOUNT_ID,
  writes: [JobPosted, JobUpdated, JobClosed],
  causes: ['house-role/<role>/<uuid>'],
  decide(decision) {
    const role = houseRoleIn(decision);
    assertInStream(decision.event, Job.streamName(role.slug));
    return syncRole(decision.own(Job), role, RAILS, decision.context);
  },
});

function houseRoleIn({ event }: ReplayedDecision): HouseRole {
  const { role: slug, seats, budget, ...data } = (event as EventOf<typeof JobPosted>).data;
  const texts = mapMembers(givenFields(JOB_TEXTS, data), requireVisible) as unknown as Omit<HouseRole, 'slug'>;
  return { slug, seats, ...texts, ...(budget && { budget: budget.amount, rail: budget.rail }) };
}

export function removeRole(job: Job) {
  if (job.status !== 'open') return [];
  return [closedEvent(job.role, 'removed')];
}

export const removeHouseRole = defineDecision('remove-house-role', {
  by: 'operator',
  actor: SYSTEM_ACCOUNT_ID,
  writes: [JobClosed],
  causes: ['house-role/<role>/<uuid>'],
  decide: ({ own }) => removeRole(own(Job)),
});

export const houseRoleDecisions = [keepHouseRole, removeHouseRole];

const HOUSE_ROLES_MAX = 1_000;

export const DEFAULT_REASON = 'the file of the house’s roles';

/** `reason` is stored in the events; `DEFAULT_REASON` without it. */
export interface RoleSyncContext {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly integers: Integers;
  readonly rails: readonly Rail[];
  readonly reason?: string;
}

export interface SyncedRole {
  readonly role: string;
  readonly event: string;
}

/**
 * Makes the house's roles equal to the file. `loadSlugs` returns the existing open ones; it may include closed ones.
 */
export async function syncRoles(
  syncContext: RoleSyncContext,
  roles: readonly HouseRole[],
  loadSlugs: () => Promise<readonly string[]>,
): Promise<SyncedRole[]> {
  const synced: SyncedRole[] = [];
  for (const role of roles)
    synced.push(
      ...(await write(syncContext, role.slug, keepHouseRole, (job, context) =>
        syncRole(job, role, syncContext.rails, context),
      )),
    );
  const named = new Set(roles.map(({ slug }) => slug));
  for (const role of await loadSlugs())
    if (!named.has(role)) synced.push(...(await write(syncContext, role, removeHouseRole, removeRole)));
  return synced;
}

export interface ClosedHouseRole {
  readonly role: string;
  readonly reason: Extract<Job, { status: 'closed' }>['reason'];
}

/** Returns the roles that stay closed although the file names them: they are full, or were closed by hand. */
export async function findClosedRoles(journal: Journal, roles: readonly HouseRole[]): Promise<ClosedHouseRole[]> {
  const closed: ClosedHouseRole[] = [];
  for (const { slug } of roles) {
    const job = (await skipUnreadable(journal.load(Job.source(slug))))?.state;
    if (job?.status === 'closed') closed.push({ role: slug, reason: job.reason });
  }
  return closed;
}

async function write(
  { journal, clock, integers, reason = DEFAULT_REASON }: RoleSyncContext,
  role: string,
  decision: Decision,
  decide: (job: Job, context: DecisionContext) => Fact[],
): Promise<SyncedRole[]> {
  const cause = `house-role/${role}/${randomUUID()}`;
  const action = { at: clock.now(), cause, decidedBy: formatDecidedBy(decision) };
  const context = withIds({ ...systemContext('operator', reason, action), actor: SYSTEM_ACCOUNT_ID }, integers);
  const plan = { writes: Job.source(role), decide: (job: Job) => decide(job, context) };
  // An unreadable role must not block the others, or the start of the service.
  const outcome = await skipUnreadable(executeCommand(journal, context, plan));
  return (outcome?.events ?? []).map(({ type }) => ({ role, event: type }));
}

@Injectable()
export class HouseRoles {
  constructor(
    private readonly journal: Journal,
    private readonly models: ReadModels,
    private readonly clock: Clock,
    private readonly integers: Integers,
    private readonly settings: PaymentSettings,
  ) {}

  /** Returns the roles that stay closed. */
  async sync(roles: readonly HouseRole[]): Promise<ClosedHouseRole[]> {
    const { journal, clock, integers, settings } = this;
    await syncRoles({ journal, clock, integers, rails: settings.rails }, roles, () => this.openSlugs());
    return findClosedRoles(journal, roles);
  }

  private async openSlugs(): Promise<string[]> {
    await this.models.waitForHead();
    const range = { index: 'open', equals: [false, true], order: 'asc', limit: HOUSE_ROLES_MAX } as const;
    return (await this.models.of(Roles).find(range)).map(({ id }) => id);
  }
}
