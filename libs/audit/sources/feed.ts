import { SECOND_MS } from '#libs/kernel/clock.js';
import { LOG_START } from '#libs/kernel/event.js';
import { fetchCheckpoint } from '../checkpoint.js';
import type { PublicEvent } from '../public-event.js';
import { LineTooLong, splitLines } from './lines.js';
import { type EventSource, originOf } from './source.js';
import { withDeadline } from './with-deadline.js';

/** How long a feed is waited for. */
export interface FeedTimeouts {
  /** Until its next line is there whole. */
  readonly lineMs: number;
  /** Before a connection that broke is made again. */
  readonly resumeMs: number;
}

const FEED_TIMEOUTS: FeedTimeouts = { lineMs: 30 * SECOND_MS, resumeMs: SECOND_MS };
/** How often a broken feed is continued without having answered an event in between. */
const RESUMES_MAX = 5;
/** How much of a position a sentence shows, in characters. */
const POSITION_SHOWN_MAX = 40;

/**
 * The public event feed of a running service, as lines: everything up to the head as it is at the beginning. A
 * connection that breaks is resumed behind the last event. What does not go on, or sends what is no feed, is given up
 * with a sentence.
 */
export function feedSource(address: string, patience: FeedTimeouts = FEED_TIMEOUTS): EventSource {
  const events = () => followFeed(address.replace(/\/+$/, ''), patience);
  return { origin: originOf(address), events, checkpoint: () => fetchCheckpoint(address) };
}

async function* followFeed(address: string, patience: FeedTimeouts): AsyncGenerator<PublicEvent> {
  let after: string = LOG_START;
  for (let failures = 0; ; failures += 1) {
    try {
      for await (const line of feedLines(address, after, patience)) {
        const event = JSON.parse(line) as (PublicEvent & { readonly head?: string }) | null;
        if (event?.head !== undefined) return;
        after = requireNextPosition(event, after);
        yield event!;
        failures = 0;
      }
      throw new Error('The feed ended before its head.');
    } catch (error) {
      if (failures >= RESUMES_MAX || isNotRetryable(error)) throw feedError(address, error);
      await new Promise(resolve => setTimeout(resolve, patience.resumeMs));
    }
  }
}

/** The service has answered something else than events, so that asking again is of no use. */
class UnusableFeed extends Error {}

const isNotRetryable = (error: unknown) => error instanceof UnusableFeed || error instanceof LineTooLong;

/** Each event stands behind the one before it. What comes back to where it was would never come to its head. */
function requireNextPosition(event: { readonly position?: unknown } | null, last: string): string {
  const position = event?.position;
  if (typeof position !== 'string') throw new UnusableFeed('A line is neither an event with a position nor the head.');
  if (position.length === last.length && position > last) return position;
  throw new UnusableFeed(
    `Behind ${last} it sends the position ${position.slice(0, POSITION_SHOWN_MAX)}, so it never ends.`,
  );
}

async function* feedLines(address: string, after: string, { lineMs }: FeedTimeouts): AsyncGenerator<string> {
  const url = `${address}/api/events?after=${after}`;
  const ending = new AbortController();
  const slow = () => new Error(`No whole line came within ${lineMs / SECOND_MS} s.`);
  try {
    const asked = fetch(url, { headers: { accept: 'application/x-ndjson' }, signal: ending.signal });
    const response = await withDeadline(asked, lineMs, slow);
    if (!response.ok || !response.body) throw new UnusableFeed(`It answers ${response.status}.`);
    const lines = splitLines(response.body);
    for (;;) {
      const { done, value } = await withDeadline(lines.next(), lineMs, slow);
      if (done) return;
      yield value;
    }
  } finally {
    // A connection that nobody reads on from would stay open.
    ending.abort();
  }
}

const feedError = (address: string, cause: unknown) =>
  new Error(`The events of ${address} cannot be read: ${(cause as Error).message}`, { cause });
