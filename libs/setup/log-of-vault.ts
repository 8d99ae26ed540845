import { existsSync } from 'node:fs';
import type { DocumentStore } from '#libs/documents/document-store.port.js';
import { findFormatFault, Service } from '#libs/domain/service.js';
import type { EventStoreDbOptions } from '#libs/event-log/eventstoredb.event-log.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { findOriginFault, isEmptyLog, type OriginFault, type UnfinishedWork } from '#libs/event-log/log-origin.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { Vault } from '#libs/platform/vault/port.js';
import { commandFor } from '#libs/terminal/command-line.js';
import type { Settings } from './settings.js';
import { openDocuments, openEventLog, openVault, storeFiles } from './store-adapters.js';
import { describeStores } from './store-places.js';

interface LogFault {
  readonly sentence: string;
  readonly advice: string;
}

interface OpenedStores {
  /** Null if its file does not exist. */
  readonly log: EventLog | null;
  readonly vault: Vault;
  readonly documents?: DocumentStore;
}

/** Throws if the log is not the one that vault and documents belong to: its agents would have lost everything. */
export async function requireLogOfVault(settings: Settings, stores: OpenedStores): Promise<void> {
  const fault = await findLogFault(settings, stores);
  if (fault) throw new Error(`${fault.sentence} ${fault.advice}`);
}

/** As `requireLogOfVault`, for the configured stores. Creates none, and passes without a vault. */
export async function requireConfiguredLog(settings: Settings): Promise<void> {
  const fault = await findConfiguredLogFault(settings);
  if (fault) throw new Error(`${fault.sentence} ${fault.advice}`);
}

export async function findConfiguredLogFault(
  settings: Settings,
  options: EventStoreDbOptions = {},
): Promise<LogFault | undefined> {
  const files = storeFiles(settings);
  if (isMissing(files.vault)) return undefined;
  const opened: { close(): Promise<void> }[] = [];
  const open = async <S extends { close(): Promise<void> }>(opening: Promise<S>): Promise<S> => {
    const store = await opening;
    opened.push(store);
    return store;
  };
  try {
    const vault = await open(openVault(settings));
    const log = isMissing(files.events) ? null : await open(openEventLog(settings, options));
    const documents = isMissing(files.documents) ? undefined : await open(openDocuments(settings));
    return await findLogFault(settings, { log, vault, ...(documents && { documents }) });
  } finally {
    await Promise.all(opened.map(store => store.close()));
  }
}

const isMissing = (file: string | undefined) => file !== undefined && !existsSync(file);

async function findLogFault(
  settings: Settings,
  { log, vault, documents }: OpenedStores,
): Promise<LogFault | undefined> {
  const places = describeStores(settings);
  const place = `The event log (${places.eventLog})`;
  const fault = await findOriginFault(log, vault);
  if (fault === 'restore' || fault === 'import') return unfinishedFault(place, fault);
  if (fault) return lostFault(place, log === null ? 'missing' : fault, settings);
  const formatFault = log && (await findFormatFaultOf(log));
  if (formatFault) return { sentence: `${place} ${formatFault}`, advice: RESTART };
  if (!documents || !(await isEmptyLog(log)) || !(await isFilled(documents))) return undefined;
  // Another process may have begun the log and filled the documents since.
  if (log && !(await isEmptyLog(log))) return undefined;
  return {
    sentence: `${place} has no event, but the documents (${places.documents}) were made from a log with events.`,
    advice: `${correction(settings)}, ${RESTORE}, or use an empty document store.`,
  };
}

/** A start appends the first key before all other events. */
async function findFormatFaultOf(log: EventLog): Promise<string | undefined> {
  const [firstKey] = await log.read(Service.streamName(), 0, 1);
  return firstKey || !(await isEmptyLog(log)) ? findFormatFault(firstKey) : undefined;
}

const RESTART = `Use the version that wrote it, set another DATA_DIR, or discard the old data (${commandFor('operator', 'reset --yes')}).`;

const LOST: { readonly [fault in Exclude<OriginFault, UnfinishedWork> | 'missing']: string } = {
  missing: 'does not exist, but the vault belongs to a log with events.',
  empty: 'has no event, but the vault belongs to a log with events.',
  foreign: 'is not the log that the vault belongs to: it begins with another event.',
};

const RESTORE = `restore a backup into an empty DATA_DIR (${commandFor('operator', 'restore <folder>')})`;

const lostFault = (place: string, fault: keyof typeof LOST, settings: Settings): LogFault => ({
  sentence: `${place} ${LOST[fault]}`,
  advice: `${correction(settings)}, ${RESTORE}, or start a new network in a new data folder.`,
});

const correction = ({ eventLog }: Settings) =>
  eventLog === 'sqlite' ? 'Correct DATA_DIR or its volume' : "Correct EVENTSTORE_URL or the server's volume";

const unfinishedFault = (place: string, work: UnfinishedWork): LogFault => ({
  sentence: `${place} is incomplete: an earlier ${work} was interrupted.`,
  advice: `Repeat it: ${commandFor('operator', work === 'restore' ? 'restore <folder>' : 'import <export>')}.`,
});

async function isFilled(documents: DocumentStore): Promise<boolean> {
  for (const projection of PROJECTIONS) await documents.open(projection);
  return (await documents.checkpoints()).some(({ position }) => position !== LOG_START);
}
