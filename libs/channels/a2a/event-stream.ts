import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '#libs/kernel/clock.js';

/** Interval of heartbeats on an idle stream. */
const HEARTBEAT_MS = 15 * SECOND_MS;

/** Formats events, and the error that ends a stream. */
export interface EventWriter<T> {
  readonly event: (event: T) => object;
  readonly error: (error: unknown) => string;
}

/**
 * Streams events as `text/event-stream` (HTML, 9.2). Awaits the first event, so that an immediate refusal is thrown
 * before anything is sent.
 */
export async function toEventStream<T>(
  events: AsyncGenerator<T>,
  writer: EventWriter<T>,
  disconnected: AbortSignal,
): Promise<Readable> {
  const first = await events.next();
  return Readable.from(writeEvents(events, first, writer, disconnected));
}

async function* writeEvents<T>(
  events: AsyncGenerator<T>,
  first: IteratorResult<T>,
  writer: EventWriter<T>,
  disconnected: AbortSignal,
): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done;) {
      yield `data: ${JSON.stringify(writer.event(next.value))}\n\n`;
      const pending = events.next();
      // Prevents an unhandled rejection; the error is thrown by the await below.
      pending.catch(() => undefined);
      while (!(await hasArrivedInTime(pending))) yield ': nothing new\n\n';
      next = await pending;
    }
  } catch (error) {
    if (!disconnected.aborted) yield writer.error(error);
  } finally {
    void events.return(undefined);
  }
}

/** Whether the promise settles within one heartbeat interval. */
async function hasArrivedInTime(pending: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const settled = pending.then(
    () => true,
    () => true,
  );
  const timeout = pause(HEARTBEAT_MS, false, { signal: timer.signal }).catch(() => false);
  const isSettled = await Promise.race([settled, timeout]);
  timer.abort();
  return isSettled;
}
