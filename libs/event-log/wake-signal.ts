import type { EventLog } from './event-log.port.js';

/** Lets a loop sleep until somebody appends, without sleeping through an append between its look and its sleep. */
export class WakeSignal {
  private woken = false;
  private ended = false;
  private hurried = false;
  private resume: () => void = () => undefined;
  private readonly unsubscribe: () => void;

  constructor(log: Pick<EventLog, 'wake'>) {
    this.unsubscribe = log.wake(() => this.wake());
  }

  get isEnded(): boolean {
    return this.ended;
  }

  /** Whether somebody appended since it was armed. */
  get wasWoken(): boolean {
    return this.woken;
  }

  /** To be called before the loop looks: what happens from here on ends the next sleep. */
  arm(): void {
    this.woken = false;
  }

  /** `gatherMs`: how long it goes on behind an append, so that what follows it is looked at together with it. */
  async sleep(timeoutMs: number, gatherMs = 0): Promise<void> {
    if (!this.woken && !this.ended && !this.hurried) await this.pause(timeoutMs);
    if (this.woken && gatherMs > 0 && !this.ended && !this.hurried) await this.pause(gatherMs);
    this.hurried = false;
  }

  /** Somebody waits for what the loop does: it gathers nothing more. */
  hurry(): void {
    this.hurried = true;
    this.resume();
  }

  /** Ends the sleep, and every later one. */
  end(): void {
    this.ended = true;
    this.unsubscribe();
    this.resume();
  }

  private async pause(timeoutMs: number): Promise<void> {
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, timeoutMs);
      this.resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.resume = () => undefined;
  }

  private wake(): void {
    if (this.woken) return;
    this.woken = true;
    this.resume();
  }
}
