import type { Service } from '#apps/gateway/service.js';
import { DECISIONS, REQUEST_RULES } from '#apps/auditor/decision-table.js';
import { SALES } from '#libs/service/sales.js';
import { eventViewer } from '#apps/auditor/source.js';
import { checkCheckpointSigner, fetchCheckpoint } from '#libs/audit/checkpoint.js';
import { findingLine } from '#libs/audit/findings.js';
import { feedSource } from '#libs/audit/sources/feed.js';
import { logSource } from '#libs/audit/sources/log.js';
import { verifyLog } from '#libs/audit/verify-log.js';
import { MESSAGE_TAG } from '#libs/client/index.js';
import { selectEvents } from '#libs/documents/fold.js';
import { type Event, LOG_START, type StoredEvent } from '#libs/kernel/event.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { checkedProjection } from '../checked-projection.js';
import { authorsIn, forgettingProblems } from '../forgetting.js';
import { findDocumentDifferences, rebuildDocuments } from '../rebuilt-documents.js';
import { leaksIn, privateValues } from './private-values.js';
import { recordDecisions } from './record-decisions.js';

const PAGE = 1_000;
const FORGOTTEN_MAX = 5;

interface ReadLog {
  readonly events: Event[];
  readonly stored: StoredEvent[];
}

/** Result of an audit without findings. */
export const CLEAN = {
  signatures: 'ok',
  opened: 'ok',
  digests: 'ok',
  documents: 'equal to a rebuild',
  privacy: 'kept',
  forgetting: 'leaves nothing',
};

/** Audits the public feed of a service and compares every document with a rebuild. */
export async function auditService({ url, stores, models }: Service): Promise<typeof CLEAN> {
  const log = await readLog({ stores });
  const recording = process.env['RECORD_DECISIONS'];
  if (recording) recordDecisions(log.events, DECISIONS, recording);
  const checkpoint = await fetchCheckpoint(url);
  const verified = await verifyLog(feedSource(url), {
    tag: MESSAGE_TAG,
    decisions: DECISIONS,
    requests: REQUEST_RULES,
    sales: SALES,
    checkpoints: [checkpoint],
  });
  const { findings, events: shown, facts } = verified;
  checkCheckpointSigner(checkpoint, facts.issuerKeys(), findings);
  const told = (wanted: boolean) =>
    findings.list.filter(({ kind }) => /^(digest|tree|source)$/.test(kind) === wanted).map(findingLine);
  const collections = PROJECTIONS.map(projection =>
    findDocumentDifferences(checkedProjection(projection), models.of(projection), selectEvents(projection, log)),
  );
  const different = (await Promise.all(collections)).flat();
  const missing = shown < log.events.length ? [`${shown} of ${log.events.length} are shown`] : [];
  return {
    signatures: told(false).join('; ') || 'ok',
    opened: (await auditOpened({ url, stores })).join('; ') || 'ok',
    digests: [...told(true), ...missing].join('; ') || 'ok',
    documents: different.length === 0 ? 'equal to a rebuild' : JSON.stringify(different),
    privacy: (await findLeaks(url, log)).join('; ') || 'kept',
    forgetting: forgettingProblemsIn(log.events).join('; ') || 'leaves nothing',
  };
}

/** Replays private decisions with the keys of the service. */
async function auditOpened({ url, stores: { log, codec } }: Pick<Service, 'url' | 'stores'>): Promise<string[]> {
  const source = logSource({ log, show: eventViewer(log, codec, 'whole'), includesPrivate: true, origin: url });
  const { findings } = await verifyLog(source, {
    tag: MESSAGE_TAG,
    decisions: DECISIONS,
    requests: REQUEST_RULES,
    sales: SALES,
  });
  return findings.list.map(findingLine);
}

export async function readLog({ stores }: Pick<Service, 'stores'>): Promise<ReadLog> {
  const all: ReadLog = { events: [], stored: [] };
  for (let after = LOG_START; ;) {
    const page = await stores.journal.readAll(after, PAGE);
    all.events.push(...page.events);
    all.stored.push(...page.stored);
    if (page.next === after) return all;
    after = page.next;
  }
}

/** Reports data that would remain if muses of the story were forgotten now. */
function forgettingProblemsIn(events: readonly Event[]): string[] {
  const muses = authorsIn(events).slice(0, FORGOTTEN_MAX);
  return PROJECTIONS.filter(({ raw }) => !raw).flatMap(projection =>
    muses.flatMap(muse => forgettingProblems(projection, events, muse)),
  );
}

/** Reports private or held values in documents and in the public feed. */
async function findLeaks(url: string, log: ReadLog): Promise<string[]> {
  const values = privateValues(log.events);
  const response = await fetch(`${url}/api/events`, { headers: { accept: 'application/x-ndjson' } });
  const documents = PROJECTIONS.flatMap(projection =>
    [...rebuildDocuments(projection, selectEvents(projection, log)).values()].map(
      ({ id, body }) => [`${projection.name}/${id}`, JSON.stringify(body)] as const,
    ),
  );
  const shown = [...documents, ['the public feed', await response.text()] as const];
  return shown.flatMap(([what, text]) => leaksIn(what, text, values));
}
