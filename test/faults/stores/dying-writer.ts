import { MongoDocumentStore } from '#libs/documents/mongodb.document-store.js';
import type { CommitBatch } from '#libs/documents/document-store.port.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';

/**
 * Dies between the first and the last write of a commit: `node dying-writer.js <address of the database> <holder>
 * <start of its lease, unix ms> <its ms> <indexes of its projection, JSON> <number of earlier commits>`.
 */
const given = process.argv.slice(2) as [string, string, string, string, string, string];
const [url, holder, now, ttlMs, indexes, commits] = given;

const projection: Projection = {
  name: 'profiles',
  version: 1,
  types: [],
  indexes: JSON.parse(indexes) as Projection['indexes'],
  keys: () => [],
  evolve: () => null,
};
const other = { ...projection, name: 'posts' };
const at = (position: number) => LOG_START.replace(/.$/, String(position));
const batch = (of: Projection, position: number): CommitBatch => ({
  projection: of,
  documents: [],
  from: at(position),
  to: at(position + 1),
});
const deadly = (position: number): CommitBatch => ({
  ...batch(projection, position),
  get documents(): CommitBatch['documents'] {
    process.kill(process.pid, 'SIGKILL');
    return [];
  },
});

const store = await MongoDocumentStore.open(url);
await store.open(projection);
await store.open(other);
const lease = await store.lease('projector', holder, Number(ttlMs), Number(now));
const before = Number(commits);
for (let position = 0; position < before; position += 1)
  await store.commit([batch(projection, position), batch(other, position)], lease!);
await store.commit([deadly(before), ...(before > 0 ? [batch(other, before)] : [])], lease!);
