import { randomBytes } from 'node:crypto';
import { ClaimStreams } from '#libs/claims/claim-streams.js';
import type { Coordination } from '#libs/platform/coordination/port.js';
import type { DocumentStore } from '#libs/documents/document-store.port.js';
import { Codec } from '#libs/event-log/codec.js';
import { ErasureEnforcer } from '#libs/event-log/erasure-enforcer.js';
import { Journal } from '#libs/event-log/journal.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { requireIssuerKey } from '#libs/issuer/issuer.js';
import type { Position } from '#libs/kernel/event.js';
import { Integers } from '#libs/kernel/ids.js';
import type { Vault } from '#libs/platform/vault/port.js';
import { prepareDataFolder } from './data-folder.js';
import { openCoordination, openDocuments, openEventLog, openVault } from './store-adapters.js';
import type { Settings } from './settings.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

const SECRET_BYTES = 32;

/** The stores of one process, and what is made of their secrets. */
export interface Stores {
  readonly log: EventLog;
  readonly documents: DocumentStore;
  readonly vault: Vault;
  readonly coordination: Coordination;
  readonly codec: Codec;
  readonly journal: Journal;
  readonly integers: Integers;
  readonly claimStreams: ClaimStreams;
  readonly tokenSecret: Uint8Array;
  /** What saved answers are sealed with. */
  readonly answerSecret: Uint8Array;
  /** What the addresses in counters are hashed with. */
  readonly limitSecret: Uint8Array;
  /** Resolves once no forgotten muse has a key, with the position up to which the log was read for that. */
  enforceErasures(): Promise<Position>;
  close(): Promise<void>;
}

/**
 * Opens the stores that the settings name; makes their folder and their secrets where there are none. A key of a muse
 * is used only after `enforceErasures`, which the first use calls. `enforcedElsewhere`: another thread does that.
 */
export async function openStores(settings: Settings, enforcedElsewhere?: Promise<Position>): Promise<Stores> {
  prepareDataFolder(settings.dataDir);
  const opened: { close(): Promise<unknown> }[] = [];
  const closeAll = async () => void (await Promise.all(opened.map(store => store.close())));
  const remembered = async <S extends { close(): Promise<unknown> }>(opening: Promise<S>): Promise<S> => {
    const store = await opening;
    opened.push(store);
    return store;
  };
  try {
    const log = await remembered(openEventLog(settings));
    const documents = await remembered(openDocuments(settings));
    const vault = await remembered(openVault(settings));
    const coordination = await remembered(openCoordination(settings));
    return await withSecrets({ log, documents, vault, coordination }, closeAll, enforcedElsewhere);
  } catch (error) {
    // What stays open keeps a process that only wanted to say so from ending.
    await closeAll();
    throw error;
  }
}

async function withSecrets(
  stores: Pick<Stores, 'log' | 'documents' | 'vault' | 'coordination'>,
  closeAll: () => Promise<void>,
  enforcedElsewhere?: Promise<Position>,
): Promise<Stores> {
  const { log, vault } = stores;
  const keys: MuseKeys = new MuseKeys(vault, () => forgotten.enforced());
  const forgotten = new ErasureEnforcer(log, keys, vault, enforcedElsewhere);
  const codec = new Codec(keys, EVENT_TYPES);
  const journal = new Journal(log, codec);
  // An interrupted restore lacks this key. A start on it must not make secrets, which the next restore would refuse.
  await requireIssuerKey({ journal, vault });
  const made = {
    ...stores,
    codec,
    journal,
    integers: new Integers(await loadSecret(vault, 'integers')),
    claimStreams: await openClaimStreams(vault),
    tokenSecret: await loadSecret(vault, 'tokens'),
    answerSecret: await loadSecret(vault, 'answers'),
    limitSecret: await loadSecret(vault, 'limits'),
  };
  const enforceErasures = () => forgotten.enforced();
  const close = async () => {
    await forgotten.stop();
    await closeAll();
  };
  return { ...made, enforceErasures, close };
}

/** How this vault names the streams of claims. */
export async function openClaimStreams(vault: Vault): Promise<ClaimStreams> {
  return new ClaimStreams(await loadSecret(vault, 'claims'));
}

/** Where the vault keeps the secrets of the service. */
export const SECRET_NAMES = ['integers', 'claims', 'tokens', 'answers', 'limits'].map(secretName);

/** A secret of the service, made where the vault has none. */
async function loadSecret(vault: Vault, name: string): Promise<Uint8Array> {
  const key = secretName(name);
  const value = (await vault.get(key)) ?? (await vault.putIfAbsent(key, randomBytes(SECRET_BYTES)));
  if (value === 'destroyed') throw new Error(`The vault's ${key} was destroyed; this log cannot be continued with it.`);
  return value;
}

function secretName(name: string): string {
  return `secret/${name}`;
}
