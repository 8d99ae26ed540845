import { isAbsolute, join, relative } from 'node:path';
import { Unavailable } from '#libs/kernel/refusal.js';
import { fileFaultOf } from '#libs/platform/sqlite/faults.js';
import { commandFor } from '#libs/terminal/command-line.js';
import type { Settings } from './settings.js';
import { storeFiles, STORE_FILES } from './store-adapters.js';
import { probeTls, TLS_EXPECTED } from './tls-probe.js';

type Stores = Pick<Settings, 'eventLog' | 'eventstoreUrl' | 'documents' | 'vault' | 'mongodbUrl' | 'dataDir'>;
/** Stores that the event log can restore. */
const REBUILDABLE_STORES: ReadonlySet<string> = new Set(['documents', 'coordination']);
type RemoteAddress = readonly [setting: string, address: string | null];

/** Stores by their name in an outage, with the embedded file and the setting of the server. */
const STORE_LOCATIONS: {
  readonly [store: string]: readonly [file: keyof typeof STORE_FILES, remote: (stores: Stores) => RemoteAddress];
} = {
  'The event log': ['events', ({ eventstoreUrl }) => ['EVENTSTORE_URL', eventstoreUrl]],
  'The document store': ['documents', ({ mongodbUrl }) => ['MONGODB_URL', mongodbUrl]],
  'The shared state': ['coordination', ({ mongodbUrl }) => ['MONGODB_URL', mongodbUrl]],
  'The vault': ['vault', ({ mongodbUrl }) => ['MONGODB_URL', mongodbUrl]],
};

/** Adds the location of the store (setting and hosts, or file) and a remedy to its outage. */
export async function explainStoreOutage(error: unknown, stores: Stores): Promise<unknown> {
  if (!(error instanceof Unavailable)) return error;
  const location = STORE_LOCATIONS[error.component];
  if (location === undefined) return error;
  const [file, remote] = location;
  if (storeFiles(stores)[file] !== undefined)
    return new Error(`${error.message} ${fileRemedy(file, stores, error)}`, { cause: error });
  const [setting, address] = remote(stores);
  const hint = await outageHint(setting, address ?? '', error.cause);
  const sentence = `${error.message} ${setting} names ${hostList(address ?? '')}.`;
  // A hint replaces the cause: OpenSSL's messages name neither the option nor the setting.
  return hint === undefined ? new Error(sentence, { cause: error }) : new Error(`${sentence} ${hint}`);
}

/** Returns undefined for embedded stores and other errors. */
export function serverSetting(error: unknown, stores: Stores): string | undefined {
  const location = error instanceof Unavailable ? STORE_LOCATIONS[error.component] : undefined;
  if (location === undefined || storeFiles(stores)[location[0]] !== undefined) return undefined;
  return location[1](stores)[0];
}

function fileRemedy(file: keyof typeof STORE_FILES, stores: Stores, { cause }: Unavailable): string {
  const path = join(stores.dataDir, STORE_FILES[file]);
  const fault = fileFaultOf(cause);
  if (fault !== undefined && fault !== 'full' && REBUILDABLE_STORES.has(file))
    return `Delete ${path}* and start again: the service rebuilds it from the event log.`;
  switch (fault) {
    case 'full':
      return `Make room on the disk of ${stores.dataDir}, or move DATA_DIR to a larger one.`;
    case 'format':
      return `Another program or version wrote ${path}: start that version, or set another DATA_DIR.`;
    case 'damaged':
    case 'foreign':
      return `Restore a backup into an empty DATA_DIR: ${commandFor('operator', 'restore <folder>')}. The file is ${path}.`;
    case undefined:
      return `Check that ${STORE_FILES[file]} can be written in DATA_DIR (${stores.dataDir}).`;
  }
}

/** Leaves out user and password. */
function hostList(address: string): string {
  const [authority = ''] = address.replace(/^[^:]+:\/\//, '').split(/[/?]/);
  return authority.slice(authority.lastIndexOf('@') + 1).replaceAll(',', ', ');
}

const HINTS: readonly (readonly [RegExp, (setting: string) => string])[] = [
  [
    /wrong version number|packet length too long|http_request|EPROTO/i,
    setting => `The server does not speak TLS: ${withoutTls(setting)}, or turn TLS on at the server.`,
  ],
  [
    /self.signed certificate|unable to (verify|get)|certificate signed by unknown|DEPTH_ZERO/i,
    setting => `Its certificate is not trusted: name the file of its authority as tlsCAFile in ${setting}.`,
  ],
  [/altnames|does not match certificate/i, setting => `Its certificate is for another host than ${setting} names.`],
  [new RegExp(`^${TLS_EXPECTED}`), setting => `The server speaks TLS only: ${withTls(setting)}.`],
  [/certificate has expired/i, () => 'Its certificate has expired.'],
  [
    /^Access denied/,
    setting =>
      `Correct user and password in ${setting}, or give the user the rights that docs/production.md lists under EventStoreDB.`,
  ],
];

const withoutTls = (setting: string) =>
  setting === 'EVENTSTORE_URL' ? `add tls=false to ${setting}` : `remove tls=true from ${setting}`;

const withTls = (setting: string) =>
  setting === 'EVENTSTORE_URL' ? `remove tls=false from ${setting}` : `add tls=true to ${setting}`;

/** Asks the servers for the reason if the client hides it. */
async function outageHint(setting: string, address: string, cause: unknown): Promise<string | undefined> {
  const hint = hintOf(setting, cause);
  if (hint !== undefined) return hint;
  const errors = await probeTls(address);
  return errors.map(error => hintOf(setting, error)).find(found => found !== undefined);
}

function hintOf(setting: string, error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { message } = at;
    const [, hint] = HINTS.find(([pattern]) => pattern.test(message)) ?? [];
    if (hint) return hint(setting);
  }
  return undefined;
}

/** Path as the operator would type it: relative if it is inside the working folder. */
export function shownPath(path: string): string {
  const inside = relative(process.cwd(), path);
  return inside.startsWith('..') || isAbsolute(inside) ? path : join('.', inside) === '.' ? '.' : `./${inside}`;
}

/** Kind and place of each lasting store, without user and password. */
export function describeStores({ eventLog, eventstoreUrl, documents, vault, mongodbUrl, dataDir }: Stores) {
  const file = (store: keyof typeof STORE_FILES) => `SQLite, ${shownPath(join(dataDir, STORE_FILES[store]))}`;
  const mongodb = `MongoDB at ${hostList(mongodbUrl ?? '')}`;
  return {
    eventLog: eventLog === 'sqlite' ? file('events') : `EventStoreDB at ${hostList(eventstoreUrl ?? '')}`,
    documents: documents === 'sqlite' ? file('documents') : mongodb,
    vault: vault === 'sqlite' ? file('vault') : mongodb,
  };
}

/** Last line of a service that was stopped. A development chain stays in the folder too. */
export function describeStop(settings: Stores & Pick<Settings, 'chain'>): string {
  const folder = shownPath(settings.dataDir);
  const stores = Object.values(describeStores(settings)).map(place => (place.startsWith('SQLite') ? folder : place));
  const places = new Set([...stores, ...(settings.chain === 'dev' ? [folder] : [])]);
  return `Stopped. Data kept in ${[...places].join(' and ')}`;
}
