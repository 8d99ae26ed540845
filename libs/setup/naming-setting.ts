import { Unavailable } from '#libs/kernel/refusal.js';
import type { Settings } from './settings.js';

type Stores = Pick<Settings, 'eventLog' | 'eventstoreUrl' | 'documents' | 'vault' | 'mongodbUrl'>;

/** Where each store is that may be on another machine, by what an outage calls it. */
const REMOTE: { readonly [what: string]: (stores: Stores) => readonly [setting: string, address: string | null] } = {
  'The event log': ({ eventLog, eventstoreUrl }) => ['EVENTSTORE_URL', eventLog === 'sqlite' ? null : eventstoreUrl],
  'The document store': ({ documents, mongodbUrl }) => ['MONGODB_URL', documents === 'sqlite' ? null : mongodbUrl],
  'The shared state': ({ documents, mongodbUrl }) => ['MONGODB_URL', documents === 'sqlite' ? null : mongodbUrl],
  'The vault': ({ vault, mongodbUrl }) => ['MONGODB_URL', vault === 'sqlite' ? null : mongodbUrl],
};

/** What a start failed for; where that is a store of another machine, with the setting and the hosts that it names. */
export function namingSetting(error: unknown, stores: Stores): unknown {
  if (!(error instanceof Unavailable)) return error;
  const [name, address] = REMOTE[error.what]?.(stores) ?? ['', null];
  return address === null ? error : new Error(`${error.message} ${name} says ${hostsOf(address)}.`, { cause: error });
}

/** Host and port of each server, without user and password. */
function hostsOf(address: string): string {
  const [authority = ''] = address.replace(/^[^:]+:\/\//, '').split(/[/?]/);
  return authority.slice(authority.lastIndexOf('@') + 1).replaceAll(',', ', ');
}
