import { iterateEvents } from '#libs/event-log/iterate-events.js';
import { type EventLog, RevisionConflict } from '#libs/event-log/event-log.port.js';
import type { StoredEvent, SealedNewEvent } from '#libs/kernel/event.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';

/**
 * How many appends are under way at once. The SQLite log takes what comes in one turn as one transaction, in the order
 * of the calls; another log takes one after the other, because nothing else keeps their order.
 */
const SQLITE_PARALLEL_MAX = 500;
const PARALLEL_MAX = 1;
/** How large one append gets: well below what a log takes at most. */
const APPEND_BYTES = 256 * 1024;
const APPEND_EVENTS_MAX = 200;

/** The log holds something else than a beginning of these events. */
export class LogMismatch extends Error {}

type EventRun = readonly [StoredEvent, ...StoredEvent[]];

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
  const there = iterateEvents(log);
  const writer = new EventWriter(log);
  let done = 0;
  for await (const event of events) {
    const { value: known } = await there.next();
    if (known) requireSameEvent(known, event, done);
    else await writer.add(event);
    progress((done += 1));
  }
  await writer.finish();
  if (writer.written === 0)
    for await (const rest of there) {
      if (!isOwn(rest)) throw new LogMismatch(`The event log goes on behind them with ${rest.type} of ${rest.stream}.`);
    }
  return done;
}

function requireSameEvent(known: StoredEvent, event: StoredEvent, number: number): void {
  if (tryDigest(known) === eventDigest(event)) return;
  throw new LogMismatch(
    `The event log is not empty: its event ${number + 1} is ${known.type} of ${known.stream}, and another one.`,
  );
}

/** Null for an event of another program, which need not have the envelope of this one. */
function tryDigest(event: StoredEvent): string | null {
  try {
    return eventDigest(event);
  } catch {
    return null;
  }
}

/** Gathers events that follow one another in one stream into appends, and appends into groups. */
class EventWriter {
  written = 0;
  private run: StoredEvent[] = [];
  private bytes = 0;
  private group: EventRun[] = [];

  constructor(private readonly log: EventLog) {}

  async add(event: StoredEvent): Promise<void> {
    const bytes = JSON.stringify(event).length;
    const follows = this.run.length > 0 && this.run.at(-1)!.stream === event.stream;
    const full = this.run.length >= APPEND_EVENTS_MAX || this.bytes + bytes > APPEND_BYTES;
    if (!follows || full) await this.closeRun();
    this.run.push(event);
    this.bytes += bytes;
  }

  async finish(): Promise<void> {
    await this.closeRun();
    await this.flush();
  }

  private async closeRun(): Promise<void> {
    const [first, ...rest] = this.run;
    if (!first) return;
    this.group.push([first, ...rest]);
    this.run = [];
    this.bytes = 0;
    if (this.group.length >= (this.log.kind === 'sqlite' ? SQLITE_PARALLEL_MAX : PARALLEL_MAX)) await this.flush();
  }

  private async flush(): Promise<void> {
    const appended = await Promise.all(this.group.map(run => this.append(run)));
    this.written += appended.reduce((sum, count) => sum + count, 0);
    this.group = [];
  }

  private async append(run: EventRun): Promise<number> {
    const [{ stream, revision }] = run;
    try {
      const stored = await this.log.append(stream, revision === 0 ? 'none' : revision - 1, run.map(toNewEvent));
      if (stored.every((event, at) => event.revision === run[at]!.revision)) return stored.length;
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
    }
    throw new LogMismatch(
      `${stream} does not get revision ${revision} again: the event log is written to meanwhile, or events of it are missing.`,
    );
  }
}

/** Revision and position are the log's to give. */
function toNewEvent({ revision: _revision, position: _position, ...event }: StoredEvent): SealedNewEvent {
  return event;
}
