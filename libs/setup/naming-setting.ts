import { join } from 'node:path';
import { Unavailable } from '#libs/kernel/refusal.js';
import { fileFaultOf } from '#libs/platform/sqlite/open.js';
import { calledAs } from '#libs/terminal/command-line.js';
import { filesOf, STORE_FILES } from './chosen-stores.js';
import type { Settings } from './settings.js';
import { tlsHint } from './tls-hint.js';

type Stores = Pick<Settings, 'eventLog' | 'eventstoreUrl' | 'documents' | 'vault' | 'mongodbUrl' | 'dataDir'>;
/** Stores that can be deleted without losing anything that was answered. */
const MADE_FROM_LOG: ReadonlySet<string> = new Set(['documents', 'coordination']);
type Remote = readonly [setting: string, address: string | null];

/** Each store by what an outage calls it: its embedded file, and where it is else, which may be another machine. */
const PLACES: {
  readonly [what: string]: readonly [file: keyof typeof STORE_FILES, remote: (stores: Stores) => Remote];
} = {
  'The event log': ['events', ({ eventstoreUrl }) => ['EVENTSTORE_URL', eventstoreUrl]],
  'The document store': ['documents', ({ mongodbUrl }) => ['MONGODB_URL', mongodbUrl]],
  'The shared state': ['coordination', ({ mongodbUrl }) => ['MONGODB_URL', mongodbUrl]],
  'The vault': ['vault', ({ mongodbUrl }) => ['MONGODB_URL', mongodbUrl]],
};

/** Adds to the outage of a store where it is (the setting with its hosts, or its file) and what to do. */
export function namingSetting(error: unknown, stores: Stores): unknown {
  if (!(error instanceof Unavailable)) return error;
  const place = PLACES[error.what];
  return place === undefined
    ? error
    : new Error(`${error.message} ${remedyOf(place, stores, error)}`, { cause: error });
}

/** The setting that names the server of an outage; undefined for embedded stores and other errors. */
export function serverSettingOf(error: unknown, stores: Stores): string | undefined {
  const place = error instanceof Unavailable ? PLACES[error.what] : undefined;
  if (place === undefined || filesOf(stores)[place[0]] !== undefined) return undefined;
  return place[1](stores)[0];
}

function remedyOf([file, remote]: (typeof PLACES)[string], stores: Stores, { cause }: Unavailable): string {
  if (filesOf(stores)[file] === undefined) {
    const [setting, address] = remote(stores);
    const hint = tlsHint(setting, cause);
    return `${setting} says ${hostsOf(address ?? '')}.${hint === undefined ? '' : ` ${hint}`}`;
  }
  const path = join(stores.dataDir, STORE_FILES[file]);
  switch (fileFaultOf(cause)) {
    case 'full':
      return `Make room on the disk of ${stores.dataDir}, or move DATA_DIR to a larger one.`;
    case 'damaged':
    case 'foreign':
      return MADE_FROM_LOG.has(file)
        ? `Delete ${path} with what begins with its name, and start again: the service makes it from the event log.`
        : `Restore a backup into an empty DATA_DIR: ${calledAs('operator', 'restore <folder>')}. The file is ${path}.`;
    case undefined:
      return `DATA_DIR says ${stores.dataDir}: can ${STORE_FILES[file]} be written there?`;
  }
}

/** Host and port of each server, without user and password. */
function hostsOf(address: string): string {
  const [authority = ''] = address.replace(/^[^:]+:\/\//, '').split(/[/?]/);
  return authority.slice(authority.lastIndexOf('@') + 1).replaceAll(',', ', ');
}
