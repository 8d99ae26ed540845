import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '#libs/kernel/clock.js';

/** How often a stream says that it is there, while nothing happens. */
const HEARTBEAT_MS = 15 * SECOND_MS;

/** What is written for an event, and for an error that ends the stream. */
export interface EventWriter<T> {
  readonly event: (event: T) => object;
  readonly error: (error: unknown) => string;
}

/**
 * Events as `text/event-stream` (HTML, 9.2). The first one is waited for, so that what is refused at once is thrown, and
 * nothing was sent.
 */
export async function toEventStream<T>(
  events: AsyncGenerator<T>,
  written: EventWriter<T>,
  gone: AbortSignal,
): Promise<Readable> {
  const first = await events.next();
  return Readable.from(writeEvents(events, first, written, gone));
}

async function* writeEvents<T>(
  events: AsyncGenerator<T>,
  first: IteratorResult<T>,
  written: EventWriter<T>,
  gone: AbortSignal,
): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done;) {
      yield `data: ${JSON.stringify(written.event(next.value))}\n\n`;
      const following = events.next();
      // It is awaited below, where its failure is told.
      following.catch(() => undefined);
      while (!(await hasArrivedInTime(following))) yield ': nothing new\n\n';
      next = await following;
    }
  } catch (error) {
    if (!gone.aborted) yield written.error(error);
  } finally {
    void events.return(undefined);
  }
}

/** Whether something has come before the silence became too long. */
async function hasArrivedInTime(following: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const settled = following.then(
    () => true,
    () => true,
  );
  const silent = pause(HEARTBEAT_MS, false, { signal: timer.signal }).catch(() => false);
  const is = await Promise.race([settled, silent]);
  timer.abort();
  return is;
}
