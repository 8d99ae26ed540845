import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReplayedProjection } from '#libs/audit/replay.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { SqliteDocumentStore } from '#libs/documents/sqlite.document-store.js';
import { findCursorField } from '#libs/endpoints/list-cursors.js';
import type { AnyQuery } from '#libs/endpoints/query.js';
import { feed } from '#libs/features/feed/feed.js';
import { BoardSettings } from '#libs/features/feed/feed-page.js';
import { thread } from '#libs/features/feed/thread.js';
import { people } from '#libs/features/finding/people.js';
import { role } from '#libs/features/deliveries/role.js';
import { roleHires } from '#libs/features/deliveries/role-hires.js';
import { roles } from '#libs/features/finding/roles.js';
import { connections } from '#libs/features/network/connections.js';
import { activity } from '#libs/features/profile/activity.js';
import { keys } from '#libs/features/identity/keys.js';
import { muse } from '#libs/features/profile/muse.js';
import { projects } from '#libs/features/profile/projects.js';
import { applicationPayload, hirePayload } from '#libs/features/records/payloads.js';
import { loadLinksAmong } from '#libs/features/identity/views/linked-pairs.js';
import { loadHireDetails } from '#libs/features/records/hire-details.js';
import { stats } from '#libs/features/stats/stats.js';
import { claimsOf } from '#libs/features/verification/credential.js';
import { HOUR_MS, systemClock } from '#libs/kernel/clock.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { applicationKey, Applications } from '#libs/features/jobs/views/applications.js';
import { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { FirstSlot } from '#libs/features/feed/views/first-slot.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import type { ReceiptLinks } from '#libs/features/feed/views/receipts.js';
import { Roles } from '#libs/features/jobs/views/roles.js';

/** Reads of each kind that are compared, latest changes first. */
const SAMPLE_MAX = 50;
const BATCH_SIZE = 1_000;

export interface ReplayedRead {
  readonly path: string;
  /** Name of the field that continues the list. */
  readonly cursorField?: string | undefined;
  /** Runs the service's own query on the replayed documents. */
  answer(cursor?: string): Promise<JsonObject>;
}

export interface ReplayedReads {
  readonly all: readonly ReplayedRead[];
  readonly close: () => Promise<void>;
}

/** Runs the service's queries on a store of replayed documents. */
export async function openReplayedReads(
  replayed: readonly ReplayedProjection[],
  links: ReceiptLinks,
): Promise<ReplayedReads> {
  const { models, close } = await openModels(replayed);
  return { all: listReads(replayed, models, links), close };
}

export async function openModels(
  replayed: readonly ReplayedProjection[],
): Promise<{ readonly models: ReadModels; readonly close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'auditor-'));
  const store = SqliteDocumentStore.open(join(folder, 'documents.db'));
  const close = async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { models: await fillModels(store, replayed), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fillModels(store: SqliteDocumentStore, replayed: readonly ReplayedProjection[]): Promise<ReadModels> {
  const projections = replayed.map(({ projection }) => projection);
  const readAll = async () => ({ events: [], next: LOG_START });
  const noLog = { head: async () => LOG_START, holds: async () => true, readAll, readNews: readAll };
  const models = new ReadModels(store, noLog, projections);
  await models.open();
  const lease = (await store.lease('replay', 'auditor', HOUR_MS, systemClock.now()))!;
  for (const { projection, documents } of replayed) {
    const all = [...documents.values()];
    for (let from = 0; from < all.length; from += BATCH_SIZE) {
      const batch = { projection, documents: all.slice(from, from + BATCH_SIZE), from: LOG_START, to: LOG_START };
      await store.commit([batch], lease);
    }
  }
  return models;
}

function listReads(
  replayed: readonly ReplayedProjection[],
  models: ReadModels,
  links: ReceiptLinks,
): readonly ReplayedRead[] {
  const newest = (name: string) => {
    const { documents } = replayed.find(({ projection }) => projection.name === name)!;
    const ordered = [...documents.values()].sort((one, other) => (one.position < other.position ? -1 : 1));
    return ordered.slice(-SAMPLE_MAX).map(({ id }) => id);
  };
  const read = queryReader(models, links);
  const signed = (path: SignedPath, id: string) => ({
    path: path + id,
    answer: async () => (await SIGNED_READS[path](models, id))!,
  });
  const [museIds, slugs] = [newest('muses'), newest('roles')];
  return [
    ...[stats, feed, roles, people, projects].map(query => read(query)),
    ...[muse, activity, connections, keys].flatMap(query => museIds.map(id => read(query, { id }))),
    ...museIds.map(id => signed('/api/verify/', id)),
    ...[role, roleHires].flatMap(query => slugs.map(slug => read(query, { slug }))),
    ...newest('items').map(id => read(thread, { id })),
    ...newest('hires').map(id => signed('/api/record/hire/', id)),
    ...newest('applications').map(id => signed('/api/record/application/', id)),
  ];
}

/** These queries use only the fields of a request. */
const NO_HTTP = undefined as never;

/** Boards limit only filters of the feed, which are not compared. */
const NO_BOARDS = new BoardSettings([]);

function queryReader(models: ReadModels, links: ReceiptLinks) {
  const clock = systemClock;
  const feedItems = new FeedItems(models, links, clock);
  const uses = { models, clock, feedItems, slot: new FirstSlot(models, clock), settings: NO_BOARDS };
  return (query: AnyQuery, params: { readonly [name: string]: string } = {}): ReplayedRead => {
    const cursorField = findCursorField(query.query);
    const answer = async (cursor?: string) =>
      (await query.find({ ...params, ...(cursorField && { [cursorField]: cursor }) }, uses, NO_HTTP)) as JsonObject;
    return { path: query.path.replace(/:(\w+)/, (_all, name: string) => params[name]!), cursorField, answer };
  };
}

type SignedPath = keyof typeof SIGNED_READS;

/** Payloads of signed documents, by the path before their id. Null for an id that the log does not have. */
export const SIGNED_READS = {
  '/api/verify/': credentialClaims,
  '/api/record/hire/': hireRecord,
  '/api/record/application/': applicationRecord,
};

async function credentialClaims(models: ReadModels, id: string): Promise<JsonObject | null> {
  const muse = await models.of(Muses).get(id);
  return muse ? claimsOf(models, muse.body) : null;
}

async function hireRecord(models: ReadModels, id: string): Promise<JsonObject | null> {
  const details = await loadHireDetails(models, Number(id));
  if (!details) return null;
  const { role, worker } = details.hire;
  const application = await models.of(Applications).get(applicationKey(role, worker));
  return hirePayload(details, (await findRole(models, role))?.title ?? null, application?.body);
}

async function applicationRecord(models: ReadModels, id: string): Promise<JsonObject | null> {
  const application = await models.of(Applications).get(id);
  if (!application) return null;
  const { body } = application;
  const links = await loadLinksAmong(models, [body.muse_id, body.poster]);
  return applicationPayload(body, await findRole(models, body.role), { links, now: systemClock.now() });
}

const findRole = async (models: ReadModels, role: string) => (await models.of(Roles).get(role))?.body;
