import { Refusal } from '#libs/kernel/refusal.js';

const RETRY_SECONDS = 2;

export type StartupProgress = { readonly events: number; readonly of: number };

export class StartupGate {
  private opened = false;
  private progress: StartupProgress | null = null;

  get isOpen(): boolean {
    return this.opened;
  }

  get filling(): StartupProgress | null {
    return this.progress;
  }

  reportProgress({ events, of }: StartupProgress): void {
    this.progress = { events, of };
  }

  open(): void {
    this.opened = true;
    this.progress = null;
  }

  refusal(): Refusal {
    const { progress } = this;
    const progressText = progress ? ` It has read ${progress.events} of ${progress.of} events.` : '';
    return new Refusal('starting', `The service is starting.${progressText}`, { retryAfter: RETRY_SECONDS });
  }
}
