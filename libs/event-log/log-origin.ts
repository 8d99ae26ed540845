import { LOG_START, type StoredEvent } from '#libs/kernel/event.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { encodeEntry, readEntry, saveEntry } from '#libs/platform/vault/json-entries.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import type { Vault } from '#libs/platform/vault/port.js';
import type { EventLog } from './event-log.port.js';
import { sealKeyName } from './muse-keys.js';

/** Name in the vault. Not in backups: `restore` and `import` write it last. */
export const LOG_ORIGIN = 'log-origin';
/** The house and the service seal with keys of their own, which sort among those of agents. */
const KEYS_EXAMINED = 5;

/** First event of the log that the vault belongs to, or the work that is still filling the log. */
type LogOrigin = Pick<StoredEvent, 'stream' | 'id'> | { readonly unfinished: UnfinishedWork };
export type UnfinishedWork = 'restore' | 'import';
/** `empty`: the vault belongs to a log with events. `foreign`: the log begins with another event. */
export type OriginFault = 'empty' | 'foreign' | UnfinishedWork;

type ReadableLog = Pick<EventLog, 'read' | 'readAll'>;

/** `log`: null if its file does not exist. Returns undefined if vault and log may belong together. */
export async function findOriginFault(log: ReadableLog | null, vault: Vault): Promise<OriginFault | undefined> {
  const origin = await readOrigin(vault);
  if (origin && 'unfinished' in origin) return origin.unfinished;
  if (origin) {
    const [first] = (await log?.read(origin.stream, 0, 1)) ?? [];
    if (first?.id === origin.id) return undefined;
    return (await isEmptyLog(log)) ? 'empty' : 'foreign';
  }
  return (await holdsAgentKey(vault)) && (await isEmptyLog(log)) ? 'empty' : undefined;
}

export const isEmptyLog = async (log: ReadableLog | null): Promise<boolean> =>
  log === null || (await readFirstEvent(log)) === undefined;

/** Records the log's first event, if it has one and none is recorded. Call it once vault and log belong together. */
export async function pinOrigin(log: ReadableLog, vault: Vault): Promise<void> {
  if ((await readOrigin(vault)) !== undefined) return;
  const first = await readFirstEvent(log);
  if (first) await vault.putIfAbsent(LOG_ORIGIN, encodeEntry(toOrigin(first)));
}

/** Keeps services from starting on the stores until `finishOrigin`. A log with events was filled before. */
export async function beginOrigin(log: ReadableLog, vault: Vault, unfinished: UnfinishedWork): Promise<void> {
  if (await isEmptyLog(log)) await saveEntry(vault, LOG_ORIGIN, { unfinished });
}

export async function finishOrigin(log: ReadableLog, vault: Vault): Promise<void> {
  const first = await readFirstEvent(log);
  if (first) await saveEntry(vault, LOG_ORIGIN, toOrigin(first));
}

const toOrigin = ({ stream, id }: StoredEvent): LogOrigin => ({ stream, id });

const readOrigin = (vault: Vault) => readEntry<LogOrigin>(vault, LOG_ORIGIN);

async function readFirstEvent(log: ReadableLog): Promise<StoredEvent | undefined> {
  for (let after = LOG_START; ;) {
    const { events, next } = await log.readAll(after, 1);
    if (events.length > 0 || next === after) return events[0];
    after = next;
  }
}

async function holdsAgentKey(vault: Vault): Promise<boolean> {
  const prefix = sealKeyName('');
  const owners = (await vault.list(prefix, KEYS_EXAMINED)).map(name => name.slice(prefix.length));
  return owners.some(owner => MUSE_ID.test(owner) && owner !== SYSTEM_ACCOUNT_ID);
}
