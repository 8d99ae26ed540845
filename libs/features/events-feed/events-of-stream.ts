import type { EventLog } from '#libs/event-log/port.js';
import { nextPiece } from '#libs/http/large-work.js';
import type { Position, Revision } from '#libs/kernel/event.js';
import { type EventFilter, passes } from './event-filter.js';
import { CHUNK, type GrowingPage, LOOKED_AT_MAX, type StoredPage } from './event-pages.js';

interface Asked {
  readonly after: Position;
  readonly page: GrowingPage;
  readonly filter: EventFilter;
}

/** A page of one stream, read from the stream itself: what it costs does not grow with the log. */
export async function eventsOfStream(
  log: Pick<EventLog, 'read' | 'head'>,
  stream: string,
  { after, page, filter }: Asked,
): Promise<StoredPage> {
  // Looked up before the stream is read, which then contains everything of its own up to there.
  const head = await log.head();
  const { events } = page;
  let last = after;
  let from = await firstBehind(log, stream, after);
  for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX; lookedAt += CHUNK) {
    if (lookedAt > 0) await nextPiece();
    const chunk = await log.read(stream, from, CHUNK);
    for (const event of chunk) {
      last = event.position;
      if (passes(event, filter)) page.add([event]);
      if (page.isFull) return { events, next: last };
    }
    if (chunk.length < CHUNK) return { events, next: last > head ? last : head };
    from += CHUNK;
  }
  return { events, next: last };
}

/**
 * The first revision of a stream whose event stands behind a position: steps that double until one is found or the
 * stream ends, then the middle, over and over.
 */
async function firstBehind(log: Pick<EventLog, 'read'>, stream: string, after: Position): Promise<Revision> {
  const isBehind = async (revision: Revision) => {
    const [event] = await log.read(stream, revision, 1);
    return event === undefined || event.position > after;
  };
  if (await isBehind(0)) return 0;
  let [before, behind] = [0, 1];
  while (!(await isBehind(behind))) [before, behind] = [behind, behind * 2];
  while (behind - before > 1) {
    const middle = Math.floor((before + behind) / 2);
    if (await isBehind(middle)) behind = middle;
    else before = middle;
  }
  return behind;
}
