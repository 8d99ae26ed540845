import type { EventLog } from '#libs/event-log/event-log.port.js';
import { waitForNextSlice } from '#libs/http/cooperative-scheduler.js';
import type { Position, Revision } from '#libs/kernel/event.js';
import { type EventFilter, matchesFilter } from './event-filter.js';
import { CHUNK, type GrowingPage, SCANNED_MAX, type StoredPage } from './event-pages.js';

interface StreamPageRequest {
  readonly after: Position;
  readonly page: GrowingPage;
  readonly filter: EventFilter;
}

export async function readStreamPage(
  log: Pick<EventLog, 'read' | 'head'>,
  stream: string,
  { after, page, filter }: StreamPageRequest,
): Promise<StoredPage> {
  // Read before the stream, which then contains all its events up to this head.
  const head = await log.head();
  const { events } = page;
  let last = after;
  let from = await findFirstAfter(log, stream, after);
  for (let scanned = 0; scanned < SCANNED_MAX; scanned += CHUNK) {
    if (scanned > 0) await waitForNextSlice();
    const chunk = await log.read(stream, from, CHUNK);
    for (const event of chunk) {
      last = event.position;
      if (matchesFilter(event, filter)) page.add([event]);
      if (page.isFull) return { events, next: last };
    }
    if (chunk.length < CHUNK) return { events, next: last > head ? last : head };
    from += CHUNK;
  }
  return { events, next: last };
}

/** Finds the first revision after a position: doubles the step, then bisects. */
async function findFirstAfter(log: Pick<EventLog, 'read'>, stream: string, after: Position): Promise<Revision> {
  const isAfter = async (revision: Revision) => {
    const [event] = await log.read(stream, revision, 1);
    return event === undefined || event.position > after;
  };
  if (await isAfter(0)) return 0;
  let [lower, upper] = [0, 1];
  while (!(await isAfter(upper))) [lower, upper] = [upper, upper * 2];
  while (upper - lower > 1) {
    const middle = Math.floor((lower + upper) / 2);
    if (await isAfter(middle)) upper = middle;
    else lower = middle;
  }
  return upper;
}
