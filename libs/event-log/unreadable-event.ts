import type { StoredEvent } from '#libs/kernel/event.js';
import { Unavailable } from '#libs/kernel/refusal.js';

type EventReference = Pick<StoredEvent, 'id' | 'type' | 'version' | 'stream' | 'position'>;

/**
 * An event of a type or a version that this build does not know: a newer build has written it. What rests on it waits
 * for that build; as with an outage, nothing is known to be wrong with the request.
 */
export class UpgradeNeeded extends Unavailable {
  override readonly code = 'upgrade_needed';

  constructor(readonly event: EventReference) {
    super(event.stream);
    this.name = 'UpgradeNeeded';
    this.message = `Version ${event.version} of the event type ${event.type} is not known to this version of the service.`;
  }
}

/** An event with values that do not open: they were changed, or the vault has another key. */
export class UnreadableEvent extends Unavailable {
  override readonly code = 'unreadable_event';

  constructor(
    readonly event: EventReference,
    readonly fields: readonly string[],
    options?: { cause?: unknown },
  ) {
    super(event.stream, options);
    this.name = 'UnreadableEvent';
    this.message = `${event.type} ${event.id} at ${event.position} cannot be read: ${fields.join()} does not open.`;
  }
}

/** Whether an event is in the way that cannot be read: who works through a list goes on with the next. */
export const isUnreadable = (error: unknown): error is UpgradeNeeded | UnreadableEvent =>
  error instanceof UpgradeNeeded || error instanceof UnreadableEvent;

/**
 * Works through a list: behind what an unreadable event is in the way of it goes on with the next, and throws the first
 * of these at the end, so that whoever is told comes again.
 */
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

/** What `work` answers; undefined where an event is in its way that cannot be read, which the projector tells of. */
export async function skipUnreadable<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}
