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
import { lookUpInLog, PublicEvents } from '#libs/features/public-events/views/public-events.js';
import { readAddress } from '#libs/setup/address-file.js';
import { REQUEST_RULES } from '#libs/service/decision-table.js';
import { requireConfiguredLog } from '#libs/setup/log-of-vault.js';
import { storeFiles, openEventLog, openVault } from '#libs/setup/store-adapters.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import type { Settings } from '#libs/setup/settings.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

export const isAddress = (from: string) => /^https?:\/\//.test(from);

/** `whole` opens all values that the vault has keys for; `public` shows what everyone can see. */
export type LogView = 'whole' | 'public';

/** Only the configured event log supports the view `whole`. Throws if the source does not exist. */
export async function openSource(
  from: string | undefined,
  settings: Settings,
  view: LogView = 'public',
): Promise<EventSource> {
  if (from === undefined) return configuredLog(settings, view);
  if (isAddress(from)) return limitMemory(feedSource(from));
  if (!existsSync(from))
    throw new Error(`The file ${from} does not exist. An address begins with http:// or https://.`);
  return limitMemory(await exportSource(from));
}

/** Reads log and vault beside a running service, and never writes. */
async function configuredLog(settings: Settings, view: LogView): Promise<EventSource> {
  await requireConfiguredLog(settings);
  const { events, vault: keys } = storeFiles(settings);
  requireFile(events);
  requireFile(keys);
  const [log, vault] = await Promise.all([openEventLog(settings), openVault(settings)]);
  const show = eventViewer(log, new Codec(new MuseKeys(vault), EVENT_TYPES), view);
  const source = logSource({
    log,
    show,
    includesPrivate: view === 'whole',
    origin: originOf(settings.baseUrl ?? readAddress(settings)),
  });
  return { ...source, close: async () => void (await Promise.all([log.close(), vault.close()])) };
}

export function eventViewer(log: EventLog, codec: Codec, view: LogView): (stored: StoredEvent) => Promise<PublicEvent> {
  const feed = new PublicEvents(codec, lookUpInLog(log, codec), endpoint => REQUEST_RULES.fieldsOf(endpoint));
  const showOpened = async (stored: StoredEvent) =>
    withOpenedValues(stored, await codec.openAsWritten(stored), eventDigest(stored));
  const showPublic = async (stored: StoredEvent) => (await feed.of([stored]))[0] as unknown as PublicEvent;
  return async stored => {
    if (!codec.canOpen(stored)) return { ...stored, digest: eventDigest(stored) };
    const [unreadable] = await codec.listUnreadable(stored);
    if (unreadable !== undefined) throw new Error(`${unreadable} cannot be opened.`);
    return view === 'whole' ? showOpened(stored) : showPublic(stored);
  };
}

/** The auditor must not create stores. */
function requireFile(file: string | undefined): void {
  if (file !== undefined && !existsSync(file))
    throw new Error(`${file} does not exist: set DATA_DIR, or set the source of the events with --from.`);
}
