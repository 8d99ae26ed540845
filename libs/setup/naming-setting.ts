import { Unavailable } from '#libs/kernel/refusal.js';
import { filesOf, STORE_FILES } from './chosen-stores.js';
import type { Settings } from './settings.js';

type Stores = Pick<Settings, 'eventLog' | 'eventstoreUrl' | 'documents' | 'vault' | 'mongodbUrl' | 'dataDir'>;
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

/** What a start failed for; where that is a store, with the setting that says where it is, and its hosts or its file. */
export function namingSetting(error: unknown, stores: Stores): unknown {
  if (!(error instanceof Unavailable)) return error;
  const place = PLACES[error.what];
  return place === undefined ? error : new Error(`${error.message} ${whereOf(place, stores)}`, { cause: error });
}

function whereOf([file, remote]: (typeof PLACES)[string], stores: Stores): string {
  if (filesOf(stores)[file] !== undefined)
    return `DATA_DIR says ${stores.dataDir}: can ${STORE_FILES[file]} be written there?`;
  const [setting, address] = remote(stores);
  return `${setting} says ${hostsOf(address ?? '')}.`;
}

/** Host and port of each server, without user and password. */
function hostsOf(address: string): string {
  const [authority = ''] = address.replace(/^[^:]+:\/\//, '').split(/[/?]/);
  return authority.slice(authority.lastIndexOf('@') + 1).replaceAll(',', ', ');
}
