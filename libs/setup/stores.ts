import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { ClaimStreams } from '#libs/claims/claim-streams.js';
import type { Coordination } from '#libs/platform/coordination/port.js';
import type { DocumentStore } from '#libs/documents/document-store.port.js';
import { Codec } from '#libs/event-log/codec.js';
import { ErasureEnforcer } from '#libs/event-log/erasure-enforcer.js';
import { advanceLastSeen } from '#libs/event-log/last-seen.js';
import { type LogWentBack, WatchedLog } from '#libs/event-log/watched-log.js';
import type { Journal } from '#libs/event-log/journal.js';
import { pinOrigin } from '#libs/event-log/log-origin.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { requireIssuerKey } from '#libs/issuer/issuer.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import type { Position } from '#libs/kernel/event.js';
import { Integers } from '#libs/kernel/ids.js';
import type { Vault } from '#libs/platform/vault/port.js';
import { prepareDataFolder } from './data-folder.js';
import { clockOf } from './file-clock.js';
import { openJournal } from './journal.js';
import { requireLogOfVault } from './log-of-vault.js';
import { openCoordination, openDocuments, openEventLog, openVault, storeFiles } from './store-adapters.js';
import type { Settings } from './settings.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

const SECRET_BYTES = 32;
/** A killed process has saved the event that it had seen this long before. */
const SEEN_MS = 5 * SECOND_MS;
/** Takes about 0.2 s to check. `doctor` checks larger files. */
const CHECKED_BYTES_MAX = 32 * 1024 * 1024;

/** Stores of one process, and the objects that use their secrets. */
export interface Stores {
  readonly log: EventLog;
  /** Resolves once the log lost events that this process has seen. */
  readonly logWentBack: Promise<LogWentBack>;
  readonly documents: DocumentStore;
  readonly vault: Vault;
  readonly coordination: Coordination;
  readonly codec: Codec;
  readonly journal: Journal;
  readonly integers: Integers;
  readonly claimStreams: ClaimStreams;
  readonly tokenSecret: Uint8Array;
  /** Key that seals saved responses. */
  readonly answerSecret: Uint8Array;
  /** Key for the hashes of client addresses in rate limits. */
  readonly limitSecret: Uint8Array;
  /** Resolves once no forgotten muse has a key, with the log position up to which that was checked. */
  enforceErasures(): Promise<Position>;
  close(): Promise<void>;
}

export type OpenedStores = Pick<Stores, 'documents' | 'vault' | 'coordination'> & { readonly log: WatchedLog };

export interface OpenStoresOptions {
  /** Another thread of this process destroys the keys of forgotten muses, up to this position. */
  readonly enforcedElsewhere?: Promise<Position>;
  /** Runs before secrets are read. */
  readonly prepare?: (stores: OpenedStores) => Promise<void>;
}

/**
 * Creates the folder and the secrets if needed. The first use of a muse's key calls `enforceErasures`, unless another
 * thread does that.
 */
export async function openStores(settings: Settings, options: OpenStoresOptions = {}): Promise<Stores> {
  const { enforcedElsewhere, prepare } = options;
  prepareDataFolder(settings.dataDir);
  const opened: { close(): Promise<unknown> }[] = [];
  const closeAll = async () => void (await Promise.all(opened.map(store => store.close())));
  const track = async <S extends { close(): Promise<unknown> }>(opening: Promise<S>): Promise<S> => {
    const store = await opening;
    opened.push(store);
    return store;
  };
  try {
    const vault = await track(openVault(settings));
    // Opening would create a missing file.
    const { events } = storeFiles(settings);
    if (events !== undefined && !existsSync(events)) await requireLogOfVault(settings, { log: null, vault });
    const log = new WatchedLog(await track(openEventLog(settings)));
    const documents = await track(openDocuments(settings));
    const coordination = await track(openCoordination(settings));
    // One thread of a process is enough.
    if (!enforcedElsewhere) for (const store of [log, documents, vault, coordination]) store.check?.(CHECKED_BYTES_MAX);
    await requireLogOfVault(settings, { log, vault, documents });
    const stores = { log, documents, vault, coordination };
    await prepare?.(stores);
    await log.seeEnd();
    return await withSecrets({ ...stores, clock: clockOf(settings) }, closeAll, enforcedElsewhere);
  } catch (error) {
    // An open store would keep the process from ending.
    await closeAll();
    throw error;
  }
}

async function withSecrets(
  { clock, ...stores }: OpenedStores & { readonly clock: Clock },
  closeAll: () => Promise<void>,
  enforcedElsewhere?: Promise<Position>,
): Promise<Stores> {
  const { log, vault } = stores;
  const keys: MuseKeys = new MuseKeys(vault, () => erasures.enforced());
  const erasures = new ErasureEnforcer(log, keys, vault, enforcedElsewhere);
  const codec = new Codec(keys, EVENT_TYPES);
  const journal = openJournal(log, codec, clock);
  // An interrupted restore lacks this key. Creating secrets now would make the next restore refuse the folder.
  await requireIssuerKey({ journal, vault });
  await pinOrigin(log, vault);
  const ready = {
    ...stores,
    logWentBack: log.wentBack,
    codec,
    journal,
    integers: await openIntegers(vault),
    claimStreams: await openClaimStreams(vault),
    tokenSecret: await loadSecret(vault, 'tokens'),
    answerSecret: await loadSecret(vault, 'answers'),
    limitSecret: await loadSecret(vault, 'limits'),
  };
  const saveSeen = async () => {
    if (!enforcedElsewhere) await advanceLastSeen(vault, log.seen).catch(() => undefined);
  };
  void log.wentBack.then(saveSeen);
  const timer = setInterval(() => void saveSeen(), SEEN_MS).unref();
  const enforceErasures = () => erasures.enforced();
  const close = async () => {
    await erasures.stop();
    clearInterval(timer);
    await saveSeen();
    await closeAll();
  };
  return { ...ready, enforceErasures, close };
}

export const openIntegers = async (vault: Vault) => new Integers(await loadSecret(vault, 'integers'));

export async function openClaimStreams(vault: Vault): Promise<ClaimStreams> {
  return new ClaimStreams(await loadSecret(vault, 'claims'));
}

/** Ends the reading of all that was sealed with the secret. */
export const replaceSecret = (vault: Vault, name: string): Promise<void> =>
  vault.replace(secretName(name), randomBytes(SECRET_BYTES));

export const SECRET_NAMES = ['integers', 'claims', 'tokens', 'answers', 'limits'].map(secretName);

/** Creates the secret if the vault does not have it. */
async function loadSecret(vault: Vault, name: string): Promise<Uint8Array> {
  const key = secretName(name);
  const value = (await vault.get(key)) ?? (await vault.putIfAbsent(key, randomBytes(SECRET_BYTES)));
  if (value === 'destroyed') throw new Error(`The vault's ${key} was destroyed: this vault cannot continue its log.`);
  return value;
}

function secretName(name: string): string {
  return `secret/${name}`;
}
