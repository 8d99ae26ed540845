import { MongoDocumentStore } from '#libs/documents/mongodb.document-store.js';
import type { Batch } from '#libs/documents/port.js';
import { START } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';

/**
 * A process that dies inside a commit, behind the commit's first writes and before its last:
 * `node dying-writer.js <address of the database> <holder> <from when it has its lease, unix ms> <for how many ms>
 * <the indexes of its projection, as JSON>`.
 */
const [url, holder, now, ttlMs, indexes] = process.argv.slice(2) as [string, string, string, string, string];

const projection: Projection = {
  name: 'profiles',
  version: 1,
  types: [],
  indexes: JSON.parse(indexes) as Projection['indexes'],
  keys: () => [],
  evolve: () => null,
};
const batch: Batch = {
  projection,
  from: START,
  to: START.replace(/.$/, '9'),
  get documents() {
    process.kill(process.pid, 'SIGKILL');
    return [];
  },
};

const store = await MongoDocumentStore.open(url);
await store.open(projection);
const lease = await store.lease('projector', holder, Number(ttlMs), Number(now));
await store.commit([batch], lease!);
