import { SECOND_MS } from '#libs/kernel/clock.js';
import { LOG_START, type Position } from '#libs/kernel/event.js';
import { within } from '#libs/platform/bounds/time-limit.js';
import { fetchCheckpoint } from '#libs/audit/checkpoint.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import { LineTooLong, splitLines } from './lines.js';
import { type EventSource, originOf } from './source.js';

interface FeedTimeouts {
  readonly lineMs: number;
  readonly resumeMs: number;
}

const FEED_TIMEOUTS: FeedTimeouts = { lineMs: 30 * SECOND_MS, resumeMs: SECOND_MS };
const RESUMES_MAX = 5;
/** The feed is read again while it has new events: an event may be hidden by an erasure after the first head. */
const ROUNDS_MAX = 10;
const POSITION_LENGTH_MAX = 40;

/**
 * Reads the public feed after a position up to the head, so that it contains each erasure that hides a value of its
 * events. Resumes a broken connection. Throws if the service stalls or sends something else.
 */
export function feedSource(
  address: string,
  timeouts: FeedTimeouts = FEED_TIMEOUTS,
  after: Position = LOG_START,
): EventSource {
  const events = () => followFeed(address.replace(/\/+$/, ''), timeouts, after);
  return { origin: originOf(address), events, checkpoint: () => fetchCheckpoint(address) };
}

async function* followFeed(address: string, timeouts: FeedTimeouts, first: Position): AsyncGenerator<PublicEvent> {
  let after = first;
  for (let rounds = 0, failures = 0; rounds < ROUNDS_MAX;) {
    const start = after;
    let isAtHead = false;
    try {
      for await (const line of feedLines(address, after, timeouts)) {
        const event = JSON.parse(line) as (PublicEvent & { readonly head?: string }) | null;
        isAtHead = event?.head !== undefined;
        if (isAtHead) break;
        after = requireNextPosition(event, after);
        yield event!;
        failures = 0;
      }
      if (!isAtHead) throw new Error('The feed ended before the head of the log.');
    } catch (error) {
      if (failures >= RESUMES_MAX || isNotRetryable(error)) throw feedError(address, error);
      failures += 1;
      await new Promise(resolve => setTimeout(resolve, timeouts.resumeMs));
    }
    if (isAtHead && after === start) return;
    if (isAtHead) rounds += 1;
  }
}

class UnusableFeed extends Error {}

const isNotRetryable = (error: unknown) => error instanceof UnusableFeed || error instanceof LineTooLong;

/** A position that goes back would never reach the head. */
function requireNextPosition(event: { readonly position?: unknown } | null, last: string): string {
  const position = event?.position;
  if (typeof position !== 'string') throw new UnusableFeed('A line is neither an event with a position nor the head.');
  if (position.length === last.length && position > last) return position;
  throw new UnusableFeed(
    `After the position ${last} it sends ${position.slice(0, POSITION_LENGTH_MAX)}, but positions must increase.`,
  );
}

async function* feedLines(address: string, after: string, { lineMs }: FeedTimeouts): AsyncGenerator<string> {
  const url = `${address}/api/events?after=${after}`;
  const connection = new AbortController();
  const inTime = <T>(work: Promise<T>): Promise<T> =>
    within(lineMs, work, (): never => {
      throw new Error(`No complete line arrived within ${lineMs / SECOND_MS} s.`);
    });
  try {
    const pending = fetch(url, { headers: { accept: 'application/x-ndjson' }, signal: connection.signal });
    const response = await inTime(pending);
    if (!response.ok || !response.body) throw new UnusableFeed(`The service returned status ${response.status}.`);
    const lines = splitLines(response.body);
    for (;;) {
      const { done, value } = await inTime(lines.next());
      if (done) return;
      yield value;
    }
  } finally {
    // Closes the connection when the reader stops.
    connection.abort();
  }
}

const feedError = (address: string, cause: unknown) =>
  new Error(`The events of ${address} cannot be read: ${(cause as Error).message}`, { cause });
