import { iterateEvents } from '#libs/event-log/iterate-events.js';
import { openWithoutKeys } from '#libs/event-log/upcast.js';
import { isEventOf } from '#libs/domain/define.js';
import { JobPosted } from '#libs/features/jobs/domain/job.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { syncRoles, type SyncedRole, findClosedRoles, type ClosedHouseRole } from '#libs/features/jobs/house-roles.js';
import { type HouseRole, readRolesFile } from '#libs/features/jobs/roles-file.js';
import { configuredRails } from '#libs/setup/configured-rails.js';
import { clockOf } from '#libs/setup/file-clock.js';
import type { Settings } from '#libs/setup/settings.js';
import { withStores } from './stores.js';
import { type CommandReport, done } from '#libs/terminal/command-line.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

/** Also works beside a running service. A dry run only validates the file. */
export async function roles(
  settings: Settings,
  file: string,
  { dryRun, reason }: { readonly dryRun: boolean; readonly reason: string },
): Promise<CommandReport> {
  const houseRoles = readRolesFile(file, configuredRails(settings));
  const listed = houseRoles.map(({ slug, title }) => ({ slug, title }));
  if (dryRun) return done({ roles: listed }, `${file} is valid: ${listed.length} jobs.`);
  const { synced, closed } = await applyRoles(settings, houseRoles, reason);
  const changes = changesByType(synced);
  const text = [formatRoles(listed.length, changes), ...closed.map(closedRoleNote)].join('\n');
  return done({ roles: listed, ...changes, stay_closed: closed }, text);
}

const applyRoles = (settings: Settings, houseRoles: readonly HouseRole[], reason: string) =>
  withStores(settings, async ({ journal, integers, log }) => {
    const context = { journal, integers, clock: clockOf(settings), rails: configuredRails(settings), reason };
    const synced = await syncRoles(context, houseRoles, () => readPostedRoles(log));
    return { synced, closed: await findClosedRoles(journal, houseRoles) };
  });

/** All roles that the house has ever posted. */
async function readPostedRoles(log: EventLog): Promise<string[]> {
  const posted: string[] = [];
  for await (const stored of iterateEvents(log, { types: [JobPosted.type] })) {
    const event = openWithoutKeys(stored, EVENT_TYPES);
    if (event && isEventOf(JobPosted, event) && event.data.poster === null) posted.push(event.data.role);
  }
  return posted;
}

function changesByType(synced: readonly SyncedRole[]) {
  const rolesWith = (type: string) => synced.flatMap(({ role, event }) => (event === type ? [role] : []));
  return { posted: rolesWith('JobPosted'), updated: rolesWith('JobUpdated'), closed: rolesWith('JobClosed') };
}

const closedRoleNote = ({ role, reason }: ClosedHouseRole) =>
  reason === 'filled'
    ? `${role} is full. It opens again if the file sets more seats.`
    : `${role} was closed by hand and stays closed. To open it as a new job, change its slug.`;

function formatRoles(count: number, changes: ReturnType<typeof changesByType>): string {
  const lines = Object.entries(changes).map(([change, slugs]) => `${change}: ${slugs.join(', ') || 'none'}`);
  const summary = `The house has ${count} ${count === 1 ? 'job' : 'jobs'}.`;
  return [`${summary} Set HOUSE_ROLES to this file: each start reads the jobs again.`, ...lines].join('\n');
}
