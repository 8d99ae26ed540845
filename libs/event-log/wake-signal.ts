import type { EventLog } from './event-log.port.js';

/** Lets a loop sleep until an append, without missing one between its check and its sleep. */
export class WakeSignal {
  private isWoken = false;
  private hasEnded = false;
  private isHurried = false;
  private resume: () => void = () => undefined;
  private readonly unsubscribe: () => void;

  /** Unless it `keepsProcess`, a process that has nothing else to do ends during a sleep. */
  constructor(
    log: Pick<EventLog, 'wake'>,
    private readonly keepsProcess = true,
  ) {
    this.unsubscribe = log.wake(() => this.wake());
  }

  get isEnded(): boolean {
    return this.hasEnded;
  }

  /** Call before the loop checks: later appends end the next sleep. */
  arm(): void {
    this.isWoken = false;
  }

  /** `gatherMs`: additional delay after an append, so that following ones are handled together. */
  async sleep(timeoutMs: number, gatherMs = 0): Promise<void> {
    if (!this.isWoken && !this.hasEnded && !this.isHurried) await this.pause(timeoutMs);
    if (this.isWoken && gatherMs > 0 && !this.hasEnded && !this.isHurried) await this.pause(gatherMs);
    this.isHurried = false;
  }

  hurry(): void {
    this.isHurried = true;
    this.resume();
  }

  end(): void {
    this.hasEnded = true;
    this.unsubscribe();
    this.resume();
  }

  private async pause(timeoutMs: number): Promise<void> {
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, timeoutMs);
      if (!this.keepsProcess) timer.unref();
      this.resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.resume = () => undefined;
  }

  private wake(): void {
    if (this.isWoken) return;
    this.isWoken = true;
    this.resume();
  }
}
