import { Injectable } from '@nestjs/common';
import { setImmediate as turn } from 'node:timers/promises';
import { ReadModels } from '#libs/documents/read-models.js';
import { EventLog } from '#libs/event-log/event-log.port.js';
import type { Position, StoredEvent } from '#libs/kernel/event.js';
import { museBlock, type MuseEvent, MuseEvents } from './views/muse-events.js';
import { type EventFilter, matchesFilter } from './event-filter.js';

const ENTRIES_MAX = 20_000;
const DOCUMENTS_AT_ONCE = 50;
const STREAMS_AT_ONCE = 50;
/** Events of one stream that are at most this far apart are read together. */
const GAP_REVISIONS = 16;

interface IndexedPage {
  readonly events: StoredEvent[];
  readonly next: Position;
  /** Whether the index ends here; later events are only in the log, after `next`. */
  readonly isAll: boolean;
  /** Number of index entries that were read. */
  readonly examined: number;
}

@Injectable()
export class EventsOfMuse {
  constructor(
    private readonly log: EventLog,
    private readonly models: ReadModels,
  ) {}

  async readAfter(after: Position, limit: number, museId: string, filter: EventFilter): Promise<IndexedPage> {
    // Read before the documents, which then contain the log at least up to this checkpoint.
    const reached = await this.models.of(MuseEvents).checkpoint();
    if (reached <= after) return { events: [], next: after, isAll: true, examined: 0 };
    const { entries, ...found } = await this.find(after, reached, limit, museId, filter.types);
    const events = (await this.readEntries(entries)).filter(event => matchesFilter(event, filter));
    return { events, ...found };
  }

  private async find(after: Position, reached: Position, limit: number, museId: string, types?: readonly string[]) {
    const entries: MuseEvent[] = [];
    let examined = 0;
    for await (const entry of this.entries(museId, after)) {
      if (entry.position > reached) break;
      examined += 1;
      if (!types || types.includes(entry.type)) entries.push(entry);
      if (entries.length === limit || examined === ENTRIES_MAX)
        return { entries, next: entry.position, isAll: false, examined };
    }
    return { entries, next: reached, isAll: true, examined };
  }

  private async *entries(museId: string, after: Position): AsyncGenerator<MuseEvent> {
    const index = this.models.of(MuseEvents);
    const first = museBlock(museId, after);
    const belongsToMuse = (id: string) => id.startsWith(`${museId}:`) && id.length === first.length;
    const firstBlock = await index.get(first);
    for (const entry of firstBlock?.body.events ?? []) if (entry.position > after) yield entry;
    for (let last = first; ;) {
      const documents = await index.scan(DOCUMENTS_AT_ONCE, last);
      const blocks = documents.filter(({ id }) => belongsToMuse(id));
      for (const { body } of blocks) yield* body.events;
      if (blocks.length < DOCUMENTS_AT_ONCE) return;
      last = blocks.at(-1)!.id;
      await turn();
    }
  }

  private async readEntries(entries: readonly MuseEvent[]): Promise<StoredEvent[]> {
    const ranges = rangesOf(entries);
    const events: StoredEvent[] = [];
    for (let at = 0; at < ranges.length; at += STREAMS_AT_ONCE) {
      if (at > 0) await turn();
      const batch = ranges.slice(at, at + STREAMS_AT_ONCE);
      events.push(...(await Promise.all(batch.map(range => this.readRange(range)))).flat());
    }
    return events.sort((a, b) => (a.position < b.position ? -1 : 1));
  }

  private async readRange({ stream, from, to, positions }: RevisionRange): Promise<StoredEvent[]> {
    const events = await this.log.read(stream, from, to - from + 1);
    return events.filter(({ position }) => positions.has(position));
  }
}

interface RevisionRange {
  readonly stream: string;
  readonly from: number;
  to: number;
  readonly positions: Set<Position>;
}

function rangesOf(entries: readonly MuseEvent[]): RevisionRange[] {
  const newest = new Map<string, RevisionRange>();
  const all: RevisionRange[] = [];
  for (const { stream, revision, position } of entries) {
    const range = newest.get(stream);
    if (range && revision - range.to <= GAP_REVISIONS) {
      range.to = revision;
      range.positions.add(position);
      continue;
    }
    const next: RevisionRange = { stream, from: revision, to: revision, positions: new Set([position]) };
    newest.set(stream, next);
    all.push(next);
  }
  return all;
}
