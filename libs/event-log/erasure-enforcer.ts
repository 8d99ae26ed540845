import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { type Position, LOG_START } from '#libs/kernel/event.js';
import { FORGOTTEN, getForgottenMuseId } from '#libs/kernel/event-type.js';
import type { Vault } from '#libs/platform/vault/port.js';
import { readErasureMark, saveErasureMark } from './erasure-mark.js';
import type { MuseKeys } from './muse-keys.js';
import type { EventLog } from './event-log.port.js';
import { WakeSignal } from './wake-signal.js';

const PAGE = 1_000;
const GATHER_MS = 25;
const SLEEP_MS = 15 * SECOND_MS;
const RETRY_MS = 1 * SECOND_MS;
const SAVE_EVERY_MS = 10 * MINUTE_MS;

/**
 * Destroys the keys of all muses that the log says are forgotten: at start, before any key is used, so that an older
 * backup of the vault does not bring them back, then continuously.
 */
export class ErasureEnforcer {
  private after: Position = LOG_START;
  private savedPosition: Position = LOG_START;
  private savedAt = -Infinity;
  private enforcing: Promise<Position> | undefined;
  private isStopped = false;
  private signal: WakeSignal | undefined;
  private running: Promise<void> = Promise.resolve();

  /** `enforcedElsewhere`: another thread of this process enforces and reports its position. */
  constructor(
    private readonly log: EventLog,
    private readonly keys: Pick<MuseKeys, 'destroyAll'>,
    private readonly vault: Vault,
    private readonly enforcedElsewhere?: Promise<Position>,
  ) {}

  /** Resolves with the position up to which no forgotten muse has a key. Throws `Unavailable`. */
  enforced(): Promise<Position> {
    return (this.enforcing ??= this.start().catch((error: unknown) => {
      this.enforcing = undefined;
      throw error;
    }));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.signal?.end();
    await this.running;
    if (this.signal) await this.saveMark().catch(() => undefined);
  }

  private async start(): Promise<Position> {
    this.after = this.savedPosition = (await this.enforcedElsewhere) ?? (await readErasureMark(this.vault, this.log));
    if (!this.enforcedElsewhere) {
      await this.enforceIn('readAll');
      await this.saveMark();
    }
    this.savedAt = performance.now();
    if (this.isStopped) return this.after;
    this.signal = new WakeSignal(this.log, false);
    this.running = this.run(this.signal);
    return this.after;
  }

  private async enforceIn(read: 'readAll' | 'readNews'): Promise<void> {
    for (;;) {
      const { events, next } = await this.log[read](this.after, PAGE, [FORGOTTEN]);
      await this.keys.destroyAll(events.map(getForgottenMuseId));
      if (next === this.after) return;
      this.after = next;
    }
  }

  private async saveMark(): Promise<void> {
    const { after } = this;
    if (this.enforcedElsewhere || after === this.savedPosition) return;
    await saveErasureMark(this.vault, after);
    this.savedPosition = after;
    this.savedAt = performance.now();
  }

  private async run(signal: WakeSignal): Promise<void> {
    while (!signal.isEnded) {
      signal.arm();
      try {
        await this.enforceIn('readNews');
        if (performance.now() - this.savedAt >= SAVE_EVERY_MS) await this.saveMark();
      } catch {
        await pause(RETRY_MS, undefined, { ref: false });
      }
      await signal.sleep(SLEEP_MS, GATHER_MS);
    }
  }
}
