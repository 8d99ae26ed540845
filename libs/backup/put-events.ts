import { everyEvent } from '#libs/event-log/every-event.js';
import { type EventLog, RevisionConflict } from '#libs/event-log/port.js';
import type { StoredEvent, StoredNewEvent } from '#libs/kernel/event.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';

/**
 * How many appends are under way at once. The SQLite log takes what comes in one turn as one transaction, in the order
 * of the calls; another log takes one after the other, because nothing else keeps their order.
 */
const AT_ONCE_SQLITE = 500;
const AT_ONCE = 1;
/** How large one append gets: well below what a log takes at most. */
const APPEND_BYTES = 256 * 1024;
const APPEND_EVENTS_MAX = 200;

/** The log holds something else than a beginning of these events. */
export class OtherEvents extends Error {}

type Run = readonly [StoredEvent, ...StoredEvent[]];

export interface PutOptions {
  /** Called with how many of the events are in the log now. */
  readonly progress?: (done: number) => void;
  /** Whether an event that the log holds behind all of these is one of the same work, done before. */
  readonly isOwn?: (event: StoredEvent) => boolean;
}

/**
 * Writes events with their ids and revisions into a log, in their order; positions are given anew by the log. What an
 * earlier attempt has written already is compared, event by event, and not written again.
 *
 * Throws `OtherEvents`, a sentence, where the log holds anything else, and where a revision would not be the same.
 */
export async function putEvents(
  log: EventLog,
  events: AsyncIterable<StoredEvent>,
  { progress = () => undefined, isOwn = () => false }: PutOptions = {},
): Promise<number> {
  const there = everyEvent(log);
  const writer = new Writer(log);
  let done = 0;
  for await (const event of events) {
    const { value: known } = await there.next();
    if (known) mustBeSame(known, event, done);
    else await writer.take(event);
    progress((done += 1));
  }
  await writer.end();
  if (writer.written === 0)
    for await (const rest of there) {
      if (!isOwn(rest)) throw new OtherEvents(`The event log goes on behind them with ${rest.type} of ${rest.stream}.`);
    }
  return done;
}

function mustBeSame(known: StoredEvent, event: StoredEvent, number: number): void {
  if (digestOf(known) === eventDigest(event)) return;
  throw new OtherEvents(
    `The event log is not empty: its event ${number + 1} is ${known.type} of ${known.stream}, and another one.`,
  );
}

/** Null for an event of another program, which need not have the envelope of this one. */
function digestOf(event: StoredEvent): string | null {
  try {
    return eventDigest(event);
  } catch {
    return null;
  }
}

/** Gathers events that follow one another in one stream into appends, and appends into groups. */
class Writer {
  written = 0;
  private run: StoredEvent[] = [];
  private bytes = 0;
  private group: Run[] = [];

  constructor(private readonly log: EventLog) {}

  async take(event: StoredEvent): Promise<void> {
    const bytes = JSON.stringify(event).length;
    const follows = this.run.length > 0 && this.run.at(-1)!.stream === event.stream;
    const full = this.run.length >= APPEND_EVENTS_MAX || this.bytes + bytes > APPEND_BYTES;
    if (!follows || full) await this.close();
    this.run.push(event);
    this.bytes += bytes;
  }

  async end(): Promise<void> {
    await this.close();
    await this.flush();
  }

  private async close(): Promise<void> {
    const [first, ...rest] = this.run;
    if (!first) return;
    this.group.push([first, ...rest]);
    this.run = [];
    this.bytes = 0;
    if (this.group.length >= (this.log.kind === 'sqlite' ? AT_ONCE_SQLITE : AT_ONCE)) await this.flush();
  }

  private async flush(): Promise<void> {
    const appended = await Promise.all(this.group.map(run => this.append(run)));
    this.written += appended.reduce((sum, count) => sum + count, 0);
    this.group = [];
  }

  private async append(run: Run): Promise<number> {
    const [{ stream, revision }] = run;
    try {
      const stored = await this.log.append(stream, revision === 0 ? 'none' : revision - 1, run.map(asNew));
      if (stored.every((event, at) => event.revision === run[at]!.revision)) return stored.length;
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
    }
    throw new OtherEvents(
      `${stream} does not get revision ${revision} again: the event log is written to meanwhile, or events of it are missing.`,
    );
  }
}

/** Revision and position are the log's to give. */
function asNew({ revision: _revision, position: _position, ...event }: StoredEvent): StoredNewEvent {
  return event;
}
