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
import { openStores } from '#libs/setup/stores.js';
import { requireStores } from './stores.js';
import type { CommandReport } from './command-report.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

/** Posts, changes and closes the house's roles as a file says, beside a running service; a dry run looks at the file. */
export async function roles(
  settings: Settings,
  file: string,
  { dryRun, reason }: { readonly dryRun: boolean; readonly reason: string },
): Promise<CommandReport> {
  const read = readRolesFile(file, configuredRails(settings));
  const shown = read.map(({ slug, title }) => ({ slug, title }));
  if (dryRun) return { ok: true, json: { ok: true, roles: shown }, text: `${file} is right: ${shown.length} roles.` };
  const { kept, closed } = await applyRoles(settings, read, reason);
  const changed = changesByType(kept);
  const text = [formatRoles(shown.length, changed), ...closed.map(closedRoleNote)].join('\n');
  return { ok: true, json: { ok: true, roles: shown, ...changed, stay_closed: closed }, text };
}

async function applyRoles(settings: Settings, read: readonly HouseRole[], reason: string) {
  requireStores(settings);
  const stores = await openStores(settings);
  try {
    const { journal, integers, log } = stores;
    const keeping = { journal, integers, clock: clockOf(settings), rails: configuredRails(settings), reason };
    const kept = await syncRoles(keeping, read, () => houseRoles(log));
    return { kept, closed: await findClosedRoles(journal, read) };
  } finally {
    await stores.close();
  }
}

/** Every role that the house ever posted. */
async function houseRoles(log: EventLog): Promise<string[]> {
  const posted: string[] = [];
  for await (const stored of iterateEvents(log, { types: [JobPosted.type] })) {
    const event = openWithoutKeys(stored, EVENT_TYPES);
    if (event && isEventOf(JobPosted, event) && event.data.poster === null) posted.push(event.data.role);
  }
  return posted;
}

function changesByType(kept: readonly SyncedRole[]) {
  const of = (type: string) => kept.flatMap(({ role, event }) => (event === type ? [role] : []));
  return { posted: of('JobPosted'), updated: of('JobUpdated'), closed: of('JobClosed') };
}

const closedRoleNote = ({ role, reason }: ClosedHouseRole) =>
  reason === 'filled'
    ? `${role} is full, and opens when the file says more seats.`
    : `${role} was closed by hand and stays closed; under another slug it is a new role.`;

function formatRoles(count: number, changed: ReturnType<typeof changesByType>): string {
  const lines = Object.entries(changed).map(([what, named]) => `${what}: ${named.join(', ') || 'none'}`);
  const has = `The house has ${count} ${count === 1 ? 'role' : 'roles'}.`;
  return [`${has} Each start reads them again: name the file in HOUSE_ROLES, so that it is this one.`, ...lines].join(
    '\n',
  );
}
