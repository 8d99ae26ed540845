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
/** How long appends come together before the log is looked at. */
const GATHER_MS = 25;
/** How long it sleeps at most: whoever tells of appends may have been silent for a moment. */
const SLEEP_MS = 15 * SECOND_MS;
const RETRY_MS = 1 * SECOND_MS;
/** How much of the log a start reads again after a kill, in time. */
const KEEP_EVERY_MS = 10 * MINUTE_MS;

/**
 * Destroys the keys of every muse that the log says to be forgotten: before the first key is used, so that a vault from
 * an older backup revives no muse, and then as events come, whichever process wrote them. Opened values go with them.
 */
export class ErasureEnforcer {
  private after: Position = LOG_START;
  private kept: Position = LOG_START;
  private keptAt = -Infinity;
  private enforcing: Promise<Position> | undefined;
  private isStopped = false;
  private signal: WakeSignal | undefined;
  private running: Promise<void> = Promise.resolve();

  /** `elsewhere`: another thread of this process enforces, and says up to which position it has. */
  constructor(
    private readonly log: EventLog,
    private readonly keys: Pick<MuseKeys, 'destroyAll'>,
    private readonly vault: Vault,
    private readonly elsewhere?: Promise<Position>,
  ) {}

  /** Resolves with the position up to which no forgotten muse has a key. Errors: `Unavailable` of the log and the vault. */
  enforced(): Promise<Position> {
    return (this.enforcing ??= this.begin().catch((error: unknown) => {
      this.enforcing = undefined;
      throw error;
    }));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.signal?.end();
    await this.running;
    // Without it the next start reads a little more of the log.
    if (this.signal) await this.keep().catch(() => undefined);
  }

  private async begin(): Promise<Position> {
    this.after = this.kept = (await this.elsewhere) ?? (await readErasureMark(this.vault, this.log));
    if (!this.elsewhere) {
      await this.enforceIn('readAll');
      await this.keep();
    }
    this.keptAt = performance.now();
    if (this.isStopped) return this.after;
    this.signal = new WakeSignal(this.log);
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

  private async keep(): Promise<void> {
    const { after } = this;
    if (this.elsewhere || after === this.kept) return;
    await saveErasureMark(this.vault, after);
    this.kept = after;
    this.keptAt = performance.now();
  }

  private async run(signal: WakeSignal): Promise<void> {
    while (!signal.isEnded) {
      signal.arm();
      try {
        await this.enforceIn('readNews');
        if (performance.now() - this.keptAt >= KEEP_EVERY_MS) await this.keep();
      } catch {
        // Retry while a store is unavailable: nothing that it holds can be read until then.
        await pause(RETRY_MS, undefined, { ref: false });
      }
      await signal.sleep(SLEEP_MS, GATHER_MS);
    }
  }
}
