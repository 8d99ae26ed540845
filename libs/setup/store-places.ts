import { isAbsolute, join, relative } from 'node:path';
import type { Settings } from './settings.js';
import { STORE_FILES } from './store-adapters.js';
import { hostList } from './store-outage.js';

type Stores = Pick<Settings, 'eventLog' | 'eventstoreUrl' | 'documents' | 'vault' | 'mongodbUrl' | 'dataDir'>;

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
