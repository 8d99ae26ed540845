import { existsSync } from 'node:fs';
import { JobPosted } from '#libs/events/job.js';
import type { EventLog } from '#libs/event-log/port.js';
import { keepRoles, type Kept } from '#libs/features/jobs/house/house-roles.js';
import { type HouseRoleDto, readRolesFile } from '#libs/features/jobs/house/roles-file.js';
import { START } from '#libs/kernel/event.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { RAILS } from '#libs/payments/rails.js';
import { clockOf } from '#libs/setup/file-clock.js';
import type { Settings } from '#libs/setup/settings.js';
import { openStores } from '#libs/setup/stores.js';
import { mustBeThere } from './stores.js';
import type { Told } from './told.js';

/** How many events are read at once. */
const PAGE = 500;

/** Posts, changes and closes the house's roles as a file says, beside a running service; a dry run looks at the file. */
export async function roles(settings: Settings, file: string, dryRun: boolean): Promise<Told> {
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  const read = readRolesFile(file);
  const shown = read.map(({ slug, title }) => ({ slug, title }));
  if (dryRun) return { ok: true, json: { ok: true, roles: shown }, text: `${file} is right: ${shown.length} roles.` };
  const changed = changes(await keep(settings, read));
  return { ok: true, json: { ok: true, roles: shown, ...changed }, text: textOf(shown.length, changed) };
}

async function keep(settings: Settings, read: readonly HouseRoleDto[]): Promise<Kept[]> {
  mustBeThere(settings);
  const stores = await openStores(settings);
  try {
    const { journal, integers, log } = stores;
    const keeping = { journal, integers, clock: clockOf(settings), rails: railsOf(settings) };
    return await keepRoles(keeping, read, () => houseRoles(log));
  } finally {
    await stores.close();
  }
}

/** Every role that the house ever posted. */
async function houseRoles(log: EventLog): Promise<string[]> {
  const posted: string[] = [];
  for (let after = START; ;) {
    const { events, next } = await log.readAll(after, PAGE, [JobPosted.type]);
    for (const { data } of events) {
      const { role, poster } = data as { readonly role: string; readonly poster: string | null };
      if (poster === null) posted.push(role);
    }
    if (events.length < PAGE) return posted;
    after = next;
  }
}

/** The rails that a service with these settings pays on. */
function railsOf({ chain, baseRpc, robinhoodRpc }: Settings): readonly Rail[] {
  const addresses: { readonly [short: string]: readonly string[] } = { base: baseRpc, robinhood: robinhoodRpc };
  return chain === 'dev' ? RAILS : RAILS.filter(({ short }) => (addresses[short] ?? []).length > 0);
}

function changes(kept: readonly Kept[]) {
  const of = (type: string) => kept.flatMap(({ role, event }) => (event === type ? [role] : []));
  return { posted: of('JobPosted'), updated: of('JobUpdated'), closed: of('JobClosed') };
}

function textOf(count: number, changed: ReturnType<typeof changes>): string {
  const lines = Object.entries(changed).map(([what, named]) => `${what}: ${named.join(', ') || 'none'}`);
  return [`The house has ${count} roles. Name the file in HOUSE_ROLES, for the next start asks it.`, ...lines].join(
    '\n',
  );
}
