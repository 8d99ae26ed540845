import { iterateEvents } from '#libs/event-log/iterate-events.js';
import { type EventLog, RevisionConflict } from '#libs/event-log/event-log.port.js';
import type { StoredEvent, SealedNewEvent } from '#libs/kernel/event.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';

/** The SQLite log writes simultaneous appends in order as one transaction. Other logs do not keep their order. */
const SQLITE_PARALLEL_MAX = 500;
const PARALLEL_MAX = 1;
const APPEND_BYTES = 256 * 1024;
const APPEND_EVENTS_MAX = 200;

type EventRun = readonly [StoredEvent, ...StoredEvent[]];

interface PutOptions {
  readonly progress?: (done: number) => void;
  /** Whether an extra event at the end of the log was written by an earlier attempt. */
  readonly isOwn?: (event: StoredEvent) => boolean;
}

/**
 * Appends events in order, with their ids and revisions; the log assigns positions. Skips events that an earlier
 * attempt has written. Throws if the log has other events or assigns another revision.
 */
export async function putEvents(
  log: EventLog,
  events: AsyncIterable<StoredEvent>,
  { progress = () => undefined, isOwn = () => false }: PutOptions = {},
): Promise<number> {
  const storedEvents = iterateEvents(log);
  const writer = new EventWriter(log);
  let done = 0;
  for await (const event of events) {
    const { value: stored } = await storedEvents.next();
    if (stored) requireSameEvent(stored, event, done);
    else await writer.add(event);
    progress((done += 1));
  }
  await writer.finish();
  if (writer.written === 0)
    for await (const extra of storedEvents) {
      if (isOwn(extra)) continue;
      throw new Error(
        `The event log has more events: the next one is ${extra.type} of ${extra.stream}. Use an empty event log.`,
      );
    }
  return done;
}

function requireSameEvent(stored: StoredEvent, event: StoredEvent, number: number): void {
  if (tryDigest(stored) === eventDigest(event)) return;
  throw new Error(
    `The event log is not empty: its event ${number + 1} is ${stored.type} of ${stored.stream}. Use an empty event log.`,
  );
}

/** Another program may write events without this envelope. */
function tryDigest(event: StoredEvent): string | null {
  try {
    return eventDigest(event);
  } catch {
    return null;
  }
}

class EventWriter {
  written = 0;
  private run: StoredEvent[] = [];
  private bytes = 0;
  private group: EventRun[] = [];

  constructor(private readonly log: EventLog) {}

  async add(event: StoredEvent): Promise<void> {
    const bytes = JSON.stringify(event).length;
    const isSameStream = this.run.length > 0 && this.run.at(-1)!.stream === event.stream;
    const isFull = this.run.length >= APPEND_EVENTS_MAX || this.bytes + bytes > APPEND_BYTES;
    if (!isSameStream || isFull) await this.closeRun();
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
    throw new Error(
      `${stream} does not get revision ${revision}: another process writes to the event log, or events are missing. ` +
        'Stop the service and use an empty event log.',
    );
  }
}

function toNewEvent({ revision: _revision, position: _position, ...event }: StoredEvent): SealedNewEvent {
  return event;
}
