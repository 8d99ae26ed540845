import { createHash } from 'node:crypto';
import { eventsFor, fold, type Folded } from '#libs/documents/fold.js';
import type { Event, StoredEvent } from '#libs/kernel/event.js';
import type { Projection, Stored } from '#libs/kernel/projection.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { Findings } from './findings.js';
import { isPrivate, openedEvent, type PublicEvent, sealedEvent } from './public-event.js';
import type { EventSource } from './sources/source.js';
import { writtenShape } from '#libs/kernel/event-type.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

/** How many events are folded at once. */
const BATCH = 1_000;

/** Every document of one projection, by id. */
export interface Replayed {
  readonly projection: Projection;
  readonly documents: ReadonlyMap<string, Stored>;
}

/**
 * Rebuilds every document of some projections from what a source shows. What rests on private values is as if they were
 * erased. Throws a sentence where the source cannot be read or a projection cannot take an event.
 */
export async function replay(
  source: EventSource,
  projections: readonly Projection[],
  progress: (events: number) => void = () => undefined,
): Promise<Replayed[]> {
  const replayed = projections.map(projection => ({ projection, documents: new Map<string, Stored>() }));
  const findings = new Findings();
  let count = 0;
  for await (const batch of batches(source.events(findings))) {
    const shown = batch.filter(event => !isPrivate(event));
    const known = shown.filter(event => writtenShape(event, EVENT_TYPES) !== undefined);
    const page = { events: known.map(event => openedEvent(event)), stored: shown.map(sealedEvent) };
    for (const each of replayed) takeAll(each, page);
    progress((count += batch.length));
  }
  const [finding] = findings.list;
  if (finding) throw new Error(`${source.origin} cannot be replayed: ${finding.problem}`);
  return replayed;
}

interface Page {
  readonly events: readonly Event[];
  readonly stored: readonly StoredEvent[];
}

function takeAll({ projection, documents }: { projection: Projection; documents: Map<string, Stored> }, page: Page) {
  for (const document of fold(projection, eventsFor(projection, page), documents)) {
    if (hasBody(document)) documents.set(document.id, document);
    else documents.delete(document.id);
  }
}

const hasBody = (document: Folded): document is Stored => document.body !== null;

async function* batches(events: AsyncIterable<PublicEvent>): AsyncGenerator<PublicEvent[]> {
  let batch: PublicEvent[] = [];
  for await (const event of events) {
    batch.push(event);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** SHA-256, lower-case hex, over the canonical JSON (RFC 8785) of every document, ordered by id, a line each. */
export function documentsDigest(documents: Replayed['documents']): string {
  const hash = createHash('sha256');
  for (const id of [...documents.keys()].sort()) {
    const { position, body } = documents.get(id)!;
    hash.update(`${canonicalJson({ id, position, body })}\n`);
  }
  return hash.digest('hex');
}
