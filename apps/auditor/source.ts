import { existsSync } from 'node:fs';
import { exportSource } from '#libs/audit/sources/export.js';
import { feedSource } from '#libs/audit/sources/feed.js';
import { logSource } from '#libs/audit/sources/log.js';
import { limitMemory } from '#libs/audit/sources/memory-limit.js';
import { type EventSource, originOf } from '#libs/audit/sources/source.js';
import { type PublicEvent, withOpenedValues } from '#libs/audit/public-event.js';
import { Codec } from '#libs/event-log/codec.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import { lookUpInLog } from '#libs/views/public-events/cleared-lookup.js';
import { PublicEvents } from '#libs/views/public-events/public-events.js';
import { readAddress } from '#libs/setup/address-file.js';
import { storeFiles, openEventLog, openVault } from '#libs/setup/store-adapters.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import type { Settings } from '#libs/setup/settings.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

export const isAddress = (from: string) => /^https?:\/\//.test(from);

/** What is seen of a log whose vault is at hand: everything that opens, or what anybody sees. */
export type LogView = 'whole' | 'public';

/**
 * Where the events come from: an address, a file, or the configured event log, which alone can be seen as a whole.
 * Throws a sentence where there is none.
 */
export async function openSource(
  from: string | undefined,
  settings: Settings,
  view: LogView = 'public',
): Promise<EventSource> {
  if (from === undefined) return configuredLog(settings, view);
  if (isAddress(from)) return limitMemory(feedSource(from));
  if (!existsSync(from)) throw new Error(`There is no file ${from}; an address begins with http:// or https://.`);
  return limitMemory(await exportSource(from));
}

/** The log and the vault beside a running service; neither is written to. */
async function configuredLog(settings: Settings, view: LogView): Promise<EventSource> {
  const { events, vault: keys } = storeFiles(settings);
  requireFile(events);
  requireFile(keys);
  const [log, vault] = await Promise.all([openEventLog(settings), openVault(settings)]);
  const show = eventViewer(log, new Codec(new MuseKeys(vault), EVENT_TYPES), view);
  const source = logSource({
    log,
    show,
    isWhole: view === 'whole',
    origin: originOf(settings.baseUrl ?? readAddress(settings)),
  });
  return { ...source, close: async () => void (await Promise.all([log.close(), vault.close()])) };
}

/** How an event is shown: as everybody sees it, or with whatever the service's keys open. */
export function eventViewer(log: EventLog, codec: Codec, view: LogView): (stored: StoredEvent) => Promise<PublicEvent> {
  const feed = new PublicEvents(codec, lookUpInLog(log, codec));
  const whole = async (stored: StoredEvent) =>
    withOpenedValues(stored, await codec.openAsWritten(stored), eventDigest(stored));
  const inPublic = async (stored: StoredEvent) => (await feed.of([stored]))[0] as unknown as PublicEvent;
  return async stored => {
    if (!codec.canOpen(stored)) return { ...stored, digest: eventDigest(stored) };
    const [unreadable] = await codec.unreadable(stored);
    if (unreadable !== undefined) throw new Error(`${unreadable} does not open.`);
    return view === 'whole' ? whole(stored) : inPublic(stored);
  };
}

/** An auditor makes no store where there is none. */
function requireFile(file: string | undefined): void {
  if (file !== undefined && !existsSync(file))
    throw new Error(`There is no ${file}: set DATA_DIR, or say with --from where the events are.`);
}
