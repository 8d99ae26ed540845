import { join } from 'node:path';
import { Unavailable } from '#libs/kernel/refusal.js';
import { fileFaultOf } from '#libs/platform/sqlite/sqlite.js';
import { commandFor } from '#libs/terminal/command-line.js';
import { storeFiles, STORE_FILES } from './store-adapters.js';
import type { Settings } from './settings.js';
import { tlsHint } from './tls-hint.js';

type Stores = Pick<Settings, 'eventLog' | 'eventstoreUrl' | 'documents' | 'vault' | 'mongodbUrl' | 'dataDir'>;
/** Stores that can be deleted without losing anything that was answered. */
const REBUILDABLE_STORES: ReadonlySet<string> = new Set(['documents', 'coordination']);
type RemoteAddress = readonly [setting: string, address: string | null];

/** Each store by what an outage calls it: its embedded file, and where it is else, which may be another machine. */
const STORE_LOCATIONS: {
  readonly [what: string]: readonly [file: keyof typeof STORE_FILES, remote: (stores: Stores) => RemoteAddress];
} = {
  'The event log': ['events', ({ eventstoreUrl }) => ['EVENTSTORE_URL', eventstoreUrl]],
  'The document store': ['documents', ({ mongodbUrl }) => ['MONGODB_URL', mongodbUrl]],
  'The shared state': ['coordination', ({ mongodbUrl }) => ['MONGODB_URL', mongodbUrl]],
  'The vault': ['vault', ({ mongodbUrl }) => ['MONGODB_URL', mongodbUrl]],
};

/** Adds to the outage of a store where it is (the setting with its hosts, or its file) and what to do. */
export function explainStoreOutage(error: unknown, stores: Stores): unknown {
  if (!(error instanceof Unavailable)) return error;
  const place = STORE_LOCATIONS[error.component];
  return place === undefined
    ? error
    : new Error(`${error.message} ${outageRemedy(place, stores, error)}`, { cause: error });
}

/** The setting that names the server of an outage; undefined for embedded stores and other errors. */
export function serverSetting(error: unknown, stores: Stores): string | undefined {
  const place = error instanceof Unavailable ? STORE_LOCATIONS[error.component] : undefined;
  if (place === undefined || storeFiles(stores)[place[0]] !== undefined) return undefined;
  return place[1](stores)[0];
}

function outageRemedy(
  [file, remote]: (typeof STORE_LOCATIONS)[string],
  stores: Stores,
  { cause }: Unavailable,
): string {
  if (storeFiles(stores)[file] === undefined) {
    const [setting, address] = remote(stores);
    const hint = tlsHint(setting, cause);
    return `${setting} says ${hostList(address ?? '')}.${hint === undefined ? '' : ` ${hint}`}`;
  }
  const path = join(stores.dataDir, STORE_FILES[file]);
  switch (fileFaultOf(cause)) {
    case 'full':
      return `Make room on the disk of ${stores.dataDir}, or move DATA_DIR to a larger one.`;
    case 'damaged':
    case 'foreign':
      return REBUILDABLE_STORES.has(file)
        ? `Delete ${path} with what begins with its name, and start again: the service makes it from the event log.`
        : `Restore a backup into an empty DATA_DIR: ${commandFor('operator', 'restore <folder>')}. The file is ${path}.`;
    case undefined:
      return `DATA_DIR says ${stores.dataDir}: can ${STORE_FILES[file]} be written there?`;
  }
}

/** Host and port of each server, without user and password. */
function hostList(address: string): string {
  const [authority = ''] = address.replace(/^[^:]+:\/\//, '').split(/[/?]/);
  return authority.slice(authority.lastIndexOf('@') + 1).replaceAll(',', ', ');
}
