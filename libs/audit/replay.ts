import { createHash } from 'node:crypto';
import type { FoldedDocument } from '#libs/documents/document-store.port.js';
import { fold, selectEvents } from '#libs/documents/fold.js';
import type { Event, StoredEvent } from '#libs/kernel/event.js';
import type { Projection, StoredDocument } from '#libs/kernel/projection.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { findingLine, Findings } from './findings.js';
import { isPrivateEvent, openPublicEvent, type PublicEvent, sealPublicEvent } from './public-event.js';
import type { EventSource } from './sources/source.js';
import { findWrittenVersion } from '#libs/kernel/event-type.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

const BATCH_SIZE = 1_000;

export interface ReplayedProjection {
  readonly projection: Projection;
  readonly documents: ReadonlyMap<string, StoredDocument>;
}

/**
 * Rebuilds documents from a source; private values count as erased. Throws if the source cannot be read or a projection
 * fails.
 */
export async function replayProjections(
  source: EventSource,
  projections: readonly Projection[],
  progress: (events: number) => void = () => undefined,
): Promise<ReplayedProjection[]> {
  const replayed = startReplay(projections);
  const findings = new Findings();
  let count = 0;
  for await (const batch of batchEvents(source.events(findings))) {
    foldBatch(replayed, batch);
    progress((count += batch.length));
  }
  const [finding] = findings.list;
  if (finding) throw new Error(`${source.origin} cannot be replayed: ${findingLine(finding)}`);
  return replayed;
}

interface ReplayTarget {
  readonly projection: Projection;
  readonly documents: Map<string, StoredDocument>;
}

export const startReplay = (projections: readonly Projection[]): ReplayTarget[] =>
  projections.map(projection => ({ projection, documents: new Map() }));

export function foldBatch(targets: readonly ReplayTarget[], batch: readonly PublicEvent[]): void {
  const shown = batch.filter(event => !isPrivateEvent(event));
  const readable = shown.filter(event => findWrittenVersion(event, EVENT_TYPES) !== undefined);
  const page = { events: readable.map(event => openPublicEvent(event)), stored: shown.map(sealPublicEvent) };
  for (const target of targets) foldPage(target, page);
}

interface EventPage {
  readonly events: readonly Event[];
  readonly stored: readonly StoredEvent[];
}

function foldPage({ projection, documents }: ReplayTarget, page: EventPage) {
  for (const document of fold(projection, selectEvents(projection, page), documents)) {
    if (hasBody(document)) documents.set(document.id, document);
    else documents.delete(document.id);
  }
}

const hasBody = (document: FoldedDocument): document is StoredDocument => document.body !== null;

async function* batchEvents(events: AsyncIterable<PublicEvent>): AsyncGenerator<PublicEvent[]> {
  let batch: PublicEvent[] = [];
  for await (const event of events) {
    batch.push(event);
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** SHA-256 in lower-case hex over the canonical JSON (RFC 8785) of each document, one per line, ordered by id. */
export function documentsDigest(documents: ReplayedProjection['documents']): string {
  const hash = createHash('sha256');
  for (const id of [...documents.keys()].sort()) {
    const { position, body } = documents.get(id)!;
    hash.update(`${canonicalJson({ id, position, body })}\n`);
  }
  return hash.digest('hex');
}
