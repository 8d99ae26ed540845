import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { type Position, START, type StoredEvent } from '#libs/kernel/event.js';
import { Forgotten } from '#libs/streams/muse.js';
import type { MuseKeys } from './muse-keys.js';
import type { EventLog } from './port.js';
import { WakeSignal } from './wake-signal.js';

const PAGE = 1_000;
/** How long appends come together before the log is looked at. */
const GATHER_MS = 25;
/** How long it sleeps at most: whoever tells of appends may have been silent for a moment. */
const SLEEP_MS = 15 * SECOND_MS;
const RETRY_MS = 1 * SECOND_MS;

/** Whom an event of this type says to be forgotten. */
export const forgottenIn = ({ data }: Pick<StoredEvent, 'data'>): string => (data as { muse_id: string }).muse_id;

/**
 * Sees to it that nobody whom the log says to be forgotten has a key: at start, so that a vault that was restored from
 * an older backup revives nobody, and from then on, whichever process has written it. What this process had opened
 * with such a key it keeps no longer.
 */
export class ForgottenMuses {
  private after: Position = START;
  private signal: WakeSignal | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly log: EventLog,
    private readonly keys: MuseKeys,
  ) {}

  /** Destroys the keys of all that the log names. Errors: `Unavailable` of the log and the vault. */
  enforce(): Promise<void> {
    return this.enforceIn('readAll');
  }

  private async enforceIn(read: 'readAll' | 'readNews'): Promise<void> {
    for (;;) {
      const { events, next } = await this.log[read](this.after, PAGE, [Forgotten.type]);
      await this.keys.destroyAll(events.map(forgottenIn));
      if (next === this.after) return;
      this.after = next;
    }
  }

  /** Goes on from there until it is stopped. */
  follow(): void {
    this.signal = new WakeSignal(this.log);
    this.running = this.run(this.signal);
  }

  async stop(): Promise<void> {
    this.signal?.end();
    await this.running;
  }

  private async run(signal: WakeSignal): Promise<void> {
    while (!signal.isEnded) {
      signal.arm();
      // A store that is away is asked again: nothing that it holds can be read meanwhile.
      await this.enforceIn('readNews').catch(() => pause(RETRY_MS, undefined, { ref: false }));
      await signal.sleep(SLEEP_MS, GATHER_MS);
    }
  }
}
