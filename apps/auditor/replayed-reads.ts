import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReplayedProjection } from '#libs/audit/replay.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { SqliteDocumentStore } from '#libs/documents/sqlite.document-store.js';
import { thread } from '#libs/features/feed/thread.js';
import { role } from '#libs/features/jobs/role.js';
import { muse } from '#libs/features/profile/muse.js';
import { applicationPayload, hirePayload } from '#libs/features/records/payloads.js';
import { loadHireDetails } from '#libs/features/records/hire-details.js';
import { stats } from '#libs/features/stats/stats.js';
import { claimsOf } from '#libs/features/verification/credential.js';
import { HOUR_MS, systemClock } from '#libs/kernel/clock.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { applicationKey, Applications } from '#libs/features/jobs/views/applications.js';
import { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { Muses } from '#libs/features/profile/views/muses.js';
import type { ReceiptLinks } from '#libs/features/feed/views/receipts.js';
import { Roles } from '#libs/features/jobs/views/roles.js';

/** Reads of each kind that are compared, latest changes first. */
const SAMPLE_MAX = 50;
const BATCH_SIZE = 1_000;

export interface ReplayedReads {
  readonly paths: readonly string[];
  /** Answers of the service's own queries on the replayed documents. */
  answer(path: string): Promise<JsonObject>;
  close(): Promise<void>;
}

/** Runs the service's queries on a store of replayed documents. */
export async function openReplayedReads(
  replayed: readonly ReplayedProjection[],
  links: ReceiptLinks,
): Promise<ReplayedReads> {
  const folder = mkdtempSync(join(tmpdir(), 'auditor-'));
  const store = SqliteDocumentStore.open(join(folder, 'documents.db'));
  const close = async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const models = await fillModels(store, replayed);
    return { paths: readPaths(replayed), answer: path => answerRead(models, links, path), close };
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

function readPaths(replayed: readonly ReplayedProjection[]): string[] {
  const newest = (name: string) => {
    const { documents } = replayed.find(({ projection }) => projection.name === name)!;
    const ordered = [...documents.values()].sort((one, other) => (one.position < other.position ? -1 : 1));
    return ordered.slice(-SAMPLE_MAX).map(({ id }) => id);
  };
  return [
    '/api/stats',
    ...newest('muses').map(id => `/api/muse/${id}`),
    ...newest('muses').map(id => `/api/verify/${id}`),
    ...newest('roles').map(id => `/api/role/${id}`),
    ...newest('items').map(id => `/api/post/${id}`),
    ...newest('hires').map(id => `/api/record/hire/${id}`),
    ...newest('applications').map(id => `/api/record/application/${id}`),
  ];
}

function answerRead(models: ReadModels, links: ReceiptLinks, path: string): Promise<JsonObject> {
  const [, , kind, id, key] = path.split('/') as [string, string, string, string, string];
  if (kind === 'record') return id === 'hire' ? hireRecord(models, key) : applicationRecord(models, key);
  if (kind === 'verify') return credentialClaims(models, id);
  const items = new FeedItems(models, links);
  if (kind === 'muse') return asAnswer(muse.find({ id }, { models, feedItems: items, clock: systemClock }, NO_HTTP));
  if (kind === 'role') return asAnswer(role.find({ slug: id }, { models, clock: systemClock }, NO_HTTP));
  if (kind === 'post') return asAnswer(thread.find({ id }, { models, feedItems: items }, NO_HTTP));
  return asAnswer(stats.find({}, { models, clock: systemClock }, NO_HTTP));
}

/** These queries use only the fields of a request. */
const NO_HTTP = undefined as never;
const asAnswer = (answer: unknown) => Promise.resolve(answer as JsonObject);

const credentialClaims = async (models: ReadModels, id: string): Promise<JsonObject> =>
  claimsOf(models, (await models.of(Muses).get(id))!.body);

async function hireRecord(models: ReadModels, id: string): Promise<JsonObject> {
  const details = (await loadHireDetails(models, Number(id)))!;
  const { role, worker } = details.hire;
  const application = await models.of(Applications).get(applicationKey(role, worker));
  return hirePayload(details, (await findRole(models, role))?.title ?? null, application?.body);
}

async function applicationRecord(models: ReadModels, id: string): Promise<JsonObject> {
  const { body } = (await models.of(Applications).get(id))!;
  return applicationPayload(body, await findRole(models, body.role), systemClock.now());
}

const findRole = async (models: ReadModels, role: string) => (await models.of(Roles).get(role))?.body;
