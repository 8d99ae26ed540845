import { Refusal } from '#libs/kernel/refusal.js';

const RETRY_SECONDS = 2;

/** How many events a start has taken into the documents, of how many. */
export type StartupProgress = { readonly events: number; readonly of: number };

/** Whether a process that listens already takes requests: before that it says how it is, and nothing else. */
export class StartupGate {
  private opened = false;
  private progress: StartupProgress | null = null;

  get isOpen(): boolean {
    return this.opened;
  }

  /** Null where nothing is filled, and where another process does it. */
  get filling(): StartupProgress | null {
    return this.progress;
  }

  /** The documents are being filled, which may take a while on a long log. */
  reportProgress({ events, of }: StartupProgress): void {
    this.progress = { events, of };
  }

  open(): void {
    this.opened = true;
    this.progress = null;
  }

  refusal(): Refusal {
    const { progress } = this;
    const far = progress ? ` ${progress.events} of ${progress.of} events are taken in.` : '';
    return new Refusal('starting', `The service starts.${far}`, { retryAfter: RETRY_SECONDS });
  }
}
