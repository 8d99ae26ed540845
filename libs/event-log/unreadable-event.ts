import type { Event, StoredEvent } from '#libs/kernel/event.js';
import { Unavailable } from '#libs/kernel/refusal.js';

type EventReference = Pick<StoredEvent, 'id' | 'type' | 'version' | 'stream' | 'position'>;

/** An event written by a newer version of the service. Counts as an outage, because the request may be fine. */
export class UpgradeNeeded extends Unavailable {
  override readonly code = 'upgrade_needed';

  constructor(readonly event: EventReference) {
    super(event.stream);
    this.name = 'UpgradeNeeded';
    this.message = `Version ${event.version} of the event type ${event.type} needs a newer version of the service.`;
  }
}

/** The values were changed, or the vault has another key. */
export class UnreadableEvent extends Unavailable {
  override readonly code = 'unreadable_event';

  constructor(
    readonly event: EventReference,
    readonly fields: readonly string[],
    options?: { cause?: unknown },
  ) {
    super(event.stream, options);
    this.name = 'UnreadableEvent';
    this.message = `${event.type} ${event.id} at ${event.position} cannot be read: ${fields.join()} cannot be decrypted.`;
  }
}

/** A stream lost events, or holds those of another application. Treating it as empty would decide without its past. */
export class BrokenStream extends Unavailable {
  override readonly code = 'unreadable_event';

  /** `problem` completes a sentence that begins with the stream, and names a revision. */
  constructor(stream: string, problem: string) {
    super('The event log');
    this.name = 'BrokenStream';
    this.message = `The stream ${stream} ${problem}.`;
  }
}

export const isUnreadable = (error: unknown): error is UpgradeNeeded | UnreadableEvent | BrokenStream =>
  error instanceof UpgradeNeeded || error instanceof UnreadableEvent || error instanceof BrokenStream;

/** Skips items with unreadable events. `end` throws the first error, so that the caller retries. */
export class UnreadableSkipper {
  private first: Error | undefined;

  async run(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      this.first ??= error;
    }
  }

  end(): void {
    if (this.first) throw this.first;
  }
}

export async function skipUnreadable<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

/** Lets reads of the fields throw `UnreadableEvent`. Modifies the event, which must not be shared yet. */
export function markFieldsUnreadable(event: Event, fields: readonly string[], cause?: unknown): Event {
  const data = { ...(event.data as object) };
  for (const name of fields) Object.defineProperty(data, name, createThrowingProperty(event, fields, cause));
  return Object.assign(event, { data, unreadable: fields });
}

export function markDataUnreadable(event: Event, fields: readonly string[], cause?: unknown): Event {
  const unreadable = Object.assign(event, { unreadable: fields });
  return Object.defineProperty(unreadable, 'data', createThrowingProperty(event, fields, cause));
}

function createThrowingProperty(
  { id, type, version, stream, position }: Event,
  fields: readonly string[],
  cause: unknown,
) {
  const get = () => {
    throw new UnreadableEvent({ id, type, version, stream, position }, fields, { cause });
  };
  return { get, enumerable: true, configurable: true };
}
