import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fromExport } from '#libs/audit/sources/export.js';
import { fromFeed } from '#libs/audit/sources/feed.js';
import { fromLog } from '#libs/audit/sources/log.js';
import { type EventSource, originOf } from '#libs/audit/sources/source.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import { Codec } from '#libs/event-log/codec.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import { PublicEvents } from '#libs/features/events-feed/public-events.js';
import { readAddress } from '#libs/setup/address-file.js';
import { openEventLog, openVault } from '#libs/setup/chosen-stores.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import type { Settings } from '#libs/setup/settings.js';

export const isAddress = (from: string) => /^https?:\/\//.test(from);

/** Where the events come from: an address, a file, or the configured event log. Throws a sentence where there is none. */
export async function openSource(from: string | undefined, settings: Settings): Promise<EventSource> {
  if (from === undefined) return configuredLog(settings);
  return isAddress(from) ? fromFeed(from) : fromExport(from);
}

/** The log and the vault beside a running service; neither is written to. */
async function configuredLog(settings: Settings): Promise<EventSource> {
  if (settings.eventLog === 'sqlite') mustBeThere(join(settings.dataDir, 'events.db'));
  if (settings.vault === 'sqlite') mustBeThere(join(settings.dataDir, 'vault.db'));
  const [log, vault] = await Promise.all([openEventLog(settings), openVault(settings)]);
  const shown = new PublicEvents(new Codec(new MuseKeys(vault)));
  const show = async (stored: StoredEvent) => (await shown.of(stored)) as unknown as PublicEvent;
  const source = fromLog({ log, show, origin: originOf(settings.baseUrl ?? readAddress(settings)) });
  return { ...source, close: async () => void (await Promise.all([log.close(), vault.close()])) };
}

/** An auditor makes no store where there is none. */
function mustBeThere(file: string): void {
  if (!existsSync(file)) throw new Error(`There is no ${file}: set DATA_DIR, or say with --from where the events are.`);
}
