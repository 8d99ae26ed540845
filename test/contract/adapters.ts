import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe } from '@jest/globals';
import type { Coordination } from '#libs/platform/coordination/port.js';
import { SqliteCoordination } from '#libs/platform/coordination/sqlite.coordination.js';
import type { DocumentStore } from '#libs/documents/document-store.port.js';
import { SqliteDocumentStore } from '#libs/documents/sqlite.document-store.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { SqliteEventLog } from '#libs/event-log/sqlite.event-log.js';
import type { Vault } from '#libs/platform/vault/port.js';
import { SqliteVault } from '#libs/platform/vault/sqlite.vault.js';
import { eventStoreDb, listeningEventStoreDb } from './eventstoredb.server.js';
import { databaseUrl, mongodb } from './mongodb.server.js';

export interface Adapter<Port> {
  readonly name: string;
  readonly available: boolean;
  readonly howToRun: string;
  /** Opens another instance on the same data. `folder` is unique per test; a server uses it as the database name. */
  open(folder: string): Promise<Port>;
  /** Removes the data of the test from the server. */
  remove?(folder: string): Promise<void>;
}

const always = { name: 'sqlite', available: true, howToRun: 'npm test' };

/** Adapters that must pass every test in this folder. */
export const eventLogs: Adapter<EventLog>[] = [
  { ...always, open: async folder => SqliteEventLog.open(join(folder, 'events.db')) },
  eventStoreDb,
  listeningEventStoreDb,
];
export const documentStores: Adapter<DocumentStore>[] = [
  { ...always, open: async folder => SqliteDocumentStore.open(join(folder, 'documents.db')) },
  { ...mongodb, open: async folder => (await mongodb.stores()).MongoDocumentStore.open(databaseUrl(folder)) },
];
export const vaults: Adapter<Vault>[] = [
  { ...always, open: async folder => SqliteVault.open(join(folder, 'vault.db')) },
  { ...mongodb, open: async folder => (await mongodb.stores()).MongoVault.open(databaseUrl(folder)) },
];
export const coordinations: Adapter<Coordination>[] = [
  { ...always, open: async folder => SqliteCoordination.open(join(folder, 'coordination.db')) },
  { ...mongodb, open: async folder => (await mongodb.stores()).MongoCoordination.open(databaseUrl(folder)) },
];

/** Opens an instance on the data of the running test. All instances are closed after it. */
export type Open<Port> = () => Promise<Port>;

/** Runs the tests of a port on every available adapter and reports how to run the others. */
export function contract<Port extends { close(): Promise<void> }>(
  port: string,
  adapters: readonly Adapter<Port>[],
  tests: (open: Open<Port>) => void,
): void {
  for (const adapter of adapters) {
    if (adapter.available) describe(`${port}: ${adapter.name}`, () => tests(opener(adapter)));
    else console.info(`${port}: ${adapter.name} was not run. To run it: ${adapter.howToRun}`);
  }
}

function opener<Port extends { close(): Promise<void> }>(adapter: Adapter<Port>): Open<Port> {
  let opened: Port[] = [];
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'contract-'));
  });
  afterEach(async () => {
    await Promise.all(opened.map(each => each.close()));
    opened = [];
    await adapter.remove?.(folder);
    rmSync(folder, { recursive: true });
  });
  return async () => {
    const instance = await adapter.open(folder);
    opened.push(instance);
    return instance;
  };
}
