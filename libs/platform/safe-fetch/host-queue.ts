import { FetchFailure } from './failure.js';

export interface QueueLimits {
  readonly concurrency: number;
  readonly perHost: number;
  /** Limits waiting tasks in total and per host, so that a slow host does not block the others. */
  readonly queueMax: number;
  readonly queuePerHostMax: number;
  readonly waitMs: number;
}

interface QueuedTask {
  readonly host: string;
  readonly start: () => void;
  readonly refuse: (failure: FetchFailure) => void;
}

/** Runs tasks in order, with a limit per host. Refuses excess tasks as `busy`. */
export class HostQueue {
  private readonly running = new Map<string, number>();
  private runningCount = 0;
  private waiting: QueuedTask[] = [];

  constructor(private readonly limits: QueueLimits) {}

  async run<T>(host: string, task: () => Promise<T>): Promise<T> {
    if (this.isFree(host)) this.take(host);
    else await this.wait(host);
    try {
      return await task();
    } finally {
      this.release(host);
    }
  }

  close(): void {
    for (const waiting of this.waiting.splice(0)) waiting.refuse(new FetchFailure('closed'));
  }

  private isFree(host: string): boolean {
    return this.runningCount < this.limits.concurrency && (this.running.get(host) ?? 0) < this.limits.perHost;
  }

  private take(host: string): void {
    this.runningCount += 1;
    this.running.set(host, (this.running.get(host) ?? 0) + 1);
  }

  private release(host: string): void {
    this.runningCount -= 1;
    const remaining = (this.running.get(host) ?? 1) - 1;
    if (remaining > 0) this.running.set(host, remaining);
    else this.running.delete(host);
    this.startNext();
  }

  private startNext(): void {
    const next = this.waiting.find(({ host }) => this.isFree(host));
    if (!next) return;
    this.remove(next);
    this.take(next.host);
    next.start();
  }

  private remove(waiting: QueuedTask): void {
    this.waiting = this.waiting.filter(other => other !== waiting);
  }

  private wait(host: string): Promise<void> {
    const waitingForHost = this.waiting.filter(waiting => waiting.host === host).length;
    if (this.waiting.length >= this.limits.queueMax || waitingForHost >= this.limits.queuePerHostMax) {
      return Promise.reject(new FetchFailure('busy'));
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => waiting.refuse(new FetchFailure('busy')), this.limits.waitMs);
      const waiting: QueuedTask = {
        host,
        start: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: failure => {
          clearTimeout(timer);
          this.remove(waiting);
          reject(failure);
        },
      };
      this.waiting.push(waiting);
    });
  }
}
