import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { formatProjectionVersion } from '#libs/documents/build-name.js';
import type { DocumentStore, Lease } from '#libs/documents/document-store.port.js';
import { Codec } from '#libs/event-log/codec.js';
import { resetErasureMark } from '#libs/event-log/erasure-mark.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { iterateEvents } from '#libs/event-log/iterate-events.js';
import { forgetLastSeen, readLastSeen, saveLastSeen } from '#libs/event-log/last-seen.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import { isContradicted, type SeenEvent } from '#libs/event-log/watched-log.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { Vault } from '#libs/platform/vault/port.js';
import { openJournal } from '#libs/setup/journal.js';
import { type OpenedStores, openIntegers, replaceSecret } from '#libs/setup/stores.js';
import { MERKLE_TREE_ID, MerkleTree } from '#libs/views/tree.js';

const LEASE = 'log-history';
const LEASE_MS = 10 * SECOND_MS;
const LOOK_MS = 100;
const NEXT = 'Saved answers are dropped, and documents are made again from the events that are there.';

type Trees = Awaited<ReturnType<typeof openTrees>>;

const openTrees = (documents: DocumentStore) => documents.open(MerkleTree);

export interface LogDifference extends SeenEvent {
  /** Events that the documents contain and the log does not; null if the documents cannot tell. */
  readonly gone: number | null;
}

interface HistoryStores {
  readonly log: EventLog;
  readonly vault: Vault;
  readonly documents: DocumentStore;
}

type ReadStores = Pick<HistoryStores, 'log' | 'vault'> & { readonly documents: DocumentStore | null };

/**
 * Compares the last event that the documents contain, and the last one that a process saw, with the log. `documents`:
 * null if their file does not exist.
 */
export async function findLogDifference(stores: ReadStores): Promise<LogDifference | null> {
  const { documents, log, vault } = stores;
  const difference = documents && (await compareDocuments(log, documents, await openTrees(documents)));
  return difference ?? compareLastSeen(log, vault);
}

const compareWithLog = async ({ log, vault, documents }: HistoryStores, trees: Trees) =>
  (await compareDocuments(log, documents, trees)) ?? compareLastSeen(log, vault);

async function compareDocuments(log: EventLog, documents: DocumentStore, trees: Trees): Promise<LogDifference | null> {
  // Follows a switch of builds by another process.
  await documents.checkpoints();
  const tree = await trees.get(MERKLE_TREE_ID);
  // Documents of an earlier build have no `last`.
  const folded = tree && 'last' in tree.body && { position: tree.position, id: tree.body.last, size: tree.body.size };
  if (!folded || !(await isContradicted(log, folded))) return null;
  return { position: folded.position, id: folded.id, gone: await countGone(log, folded) };
}

async function compareLastSeen(log: EventLog, vault: Vault): Promise<LogDifference | null> {
  const seen = await readLastSeen(vault);
  return seen && (await isContradicted(log, seen)) ? { ...seen, gone: null } : null;
}

/** Null for a log that has grown past the end of the documents with other events. */
async function countGone(log: EventLog, { position, size }: SeenEvent & { size: number }): Promise<number | null> {
  if ((await log.head()) >= position) return null;
  let count = 0;
  for await (const _event of iterateEvents(log)) count += 1;
  return count < size ? size - count : null;
}

export function describeDifference({ position, id, gone }: LogDifference): string {
  const count = gone === null ? '' : gone === 1 ? ' 1 event is gone.' : ` ${gone} events are gone.`;
  return `The event log differs at position ${position}: it does not have the event ${id}, which was there before.${count}`;
}

/**
 * After an older copy of the log's data was put back: drops saved answers, forgets the forgotten agents again, and makes
 * documents and reactions again. A killed run is repeated. One process does it; the others wait.
 */
export async function followHistory(stores: OpenedStores, clock: Clock, log: Pick<Logger, 'error'>): Promise<void> {
  const { documents } = stores;
  const trees = await openTrees(documents);
  const holder = randomUUID();
  const keep = () => documents.lease(LEASE, holder, LEASE_MS, clock.now());
  while (await compareWithLog(stores, trees)) {
    const lease = await keep();
    // Another process may have done it before this one got the lease.
    const difference = lease && (await compareWithLog(stores, trees));
    if (difference) {
      log.error(`${describeDifference(difference)} ${NEXT}`);
      await startOver(stores, difference, keep, clock);
    }
    if (lease) await documents.release(lease);
    else await pause(LOOK_MS);
  }
}

async function startOver(
  { log, vault, documents }: HistoryStores,
  { position, id }: SeenEvent,
  keep: () => Promise<Lease | null>,
  clock: Clock,
): Promise<void> {
  await saveLastSeen(vault, { position, id });
  await replaceSecret(vault, 'answers');
  await resetErasureMark(vault);
  await forgetMuses({ log, vault }, keep, clock);
  const { WEBHOOK_QUEUE } = await import('#libs/features/webhooks/webhook-queue.js');
  const projections = new Map(PROJECTIONS.map(each => [formatProjectionVersion(each), each]));
  const head = await log.head();
  for (const live of await documents.builds.listLive()) {
    const lease = (await keep())!;
    const projection = projections.get(formatProjectionVersion(live)) ?? { ...WEBHOOK_QUEUE, ...live };
    await documents.builds.startOver(projection, lease, clock.now());
    if (live.name === WEBHOOK_QUEUE.name)
      await documents.commit([{ projection: live, documents: [], from: LOG_START, to: head }], lease);
  }
  await forgetLastSeen(vault);
}

async function forgetMuses(
  { log, vault }: Pick<HistoryStores, 'log' | 'vault'>,
  keep: () => Promise<unknown>,
  clock: Clock,
): Promise<void> {
  const [{ forgetAllAgain }, { ServiceCommands }] = await Promise.all([
    import('#libs/features/forget/forget-again.js'),
    import('#libs/endpoints/service-commands.js'),
  ]);
  const journal = openJournal(log, new Codec(new MuseKeys(vault), EVENT_TYPES), clock);
  await forgetAllAgain(new ServiceCommands(journal, clock, await openIntegers(vault)), vault, keep);
}
