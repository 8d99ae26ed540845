import type { EventLog } from './port.js';

/** Lets a loop sleep until somebody appends, without sleeping through an append between its look and its sleep. */
export class WakeSignal {
  private woken = false;
  private ended = false;
  private resume: () => void = () => undefined;
  private readonly unsubscribe: () => void;

  constructor(log: EventLog) {
    this.unsubscribe = log.wake(() => this.wake());
  }

  get isEnded(): boolean {
    return this.ended;
  }

  /** Whether somebody appended since it was armed. */
  get wasWoken(): boolean {
    return this.woken;
  }

  /** To be called before the loop looks: what happens from here on ends the next sleep at once. */
  arm(): void {
    this.woken = false;
  }

  async sleep(timeoutMs: number): Promise<void> {
    if (this.woken || this.ended) return;
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, timeoutMs);
      this.resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Ends the sleep, and every later one. */
  end(): void {
    this.ended = true;
    this.unsubscribe();
    this.resume();
  }

  private wake(): void {
    this.woken = true;
    this.resume();
  }
}
