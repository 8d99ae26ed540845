import { join } from 'node:path';
import type { Coordination } from '#libs/platform/coordination/port.js';
import type { DocumentStore } from '#libs/documents/document-store.port.js';
import type { EventStoreDbOptions } from '#libs/event-log/eventstoredb.event-log.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import type { Vault } from '#libs/platform/vault/port.js';
import type { Settings } from './settings.js';

export const STORE_FILES = {
  events: 'events.db',
  documents: 'documents.db',
  vault: 'vault.db',
  coordination: 'coordination.db',
} as const;

type Files = { readonly [store in keyof typeof STORE_FILES]?: string };

/** Returns only the stores that the settings choose. */
export function storeFiles({
  eventLog,
  documents,
  vault,
  dataDir,
}: Pick<Settings, 'eventLog' | 'documents' | 'vault' | 'dataDir'>): Files {
  const fileOf = (store: keyof Files) => ({ [store]: join(dataDir, STORE_FILES[store]) });
  return {
    ...(eventLog === 'sqlite' && fileOf('events')),
    ...(documents === 'sqlite' && { ...fileOf('documents'), ...fileOf('coordination') }),
    ...(vault === 'sqlite' && fileOf('vault')),
  };
}

/** Adapters are loaded on demand. Short-lived state is stored with the documents. */
type StoreChoice = Pick<Settings, 'documents' | 'vault' | 'mongodbUrl' | 'dataDir'>;

export async function openEventLog(
  { eventLog, eventstoreUrl, dataDir }: Pick<Settings, 'eventLog' | 'eventstoreUrl' | 'dataDir'>,
  options: EventStoreDbOptions = {},
): Promise<EventLog> {
  if (eventLog === 'eventstoredb')
    return (await import('#libs/event-log/eventstoredb.event-log.js')).EventStoreDbEventLog.open(
      eventstoreUrl!,
      options,
    );
  return (await import('#libs/event-log/sqlite.event-log.js')).SqliteEventLog.open(join(dataDir, STORE_FILES.events));
}

export async function openDocuments({ documents, mongodbUrl, dataDir }: StoreChoice): Promise<DocumentStore> {
  if (documents === 'mongodb')
    return (await import('#libs/documents/mongodb.document-store.js')).MongoDocumentStore.open(mongodbUrl!);
  const { SqliteDocumentStore } = await import('#libs/documents/sqlite.document-store.js');
  return SqliteDocumentStore.open(join(dataDir, STORE_FILES.documents));
}

export async function openVault({ vault, mongodbUrl, dataDir }: StoreChoice): Promise<Vault> {
  if (vault === 'mongodb') return (await import('#libs/platform/vault/mongodb.vault.js')).MongoVault.open(mongodbUrl!);
  return (await import('#libs/platform/vault/sqlite.vault.js')).SqliteVault.open(join(dataDir, STORE_FILES.vault));
}

export async function openCoordination({ documents, mongodbUrl, dataDir }: StoreChoice): Promise<Coordination> {
  if (documents === 'mongodb')
    return (await import('#libs/platform/coordination/mongodb.coordination.js')).MongoCoordination.open(mongodbUrl!);
  const { SqliteCoordination } = await import('#libs/platform/coordination/sqlite.coordination.js');
  return SqliteCoordination.open(join(dataDir, STORE_FILES.coordination));
}
