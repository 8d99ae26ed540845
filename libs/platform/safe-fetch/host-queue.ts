import { FetchFailure } from './failure.js';

export interface QueueLimits {
  /** How many run at once. */
  readonly concurrency: number;
  /** How many of them go to one host. */
  readonly perHost: number;
  /** How many wait, and how many of them for one host, so that one slow host does not keep everybody out. */
  readonly queueMax: number;
  readonly queuePerHostMax: number;
  /** How long one waits before it is told to come again. */
  readonly waitMs: number;
}

interface QueuedTask {
  readonly host: string;
  readonly start: () => void;
  readonly refuse: (failure: FetchFailure) => void;
}

/** Runs tasks first come first served, a few at once and fewer to one host. What does not fit is refused: `busy`. */
export class HostQueue {
  private readonly running = new Map<string, number>();
  private runningCount = 0;
  private waiting: QueuedTask[] = [];

  constructor(private readonly limits: QueueLimits) {}

  /** Throws a `FetchFailure` `busy`, or `closed`, where the task was not started. */
  async run<T>(host: string, task: () => Promise<T>): Promise<T> {
    if (this.isFree(host)) this.take(host);
    else await this.wait(host);
    try {
      return await task();
    } finally {
      this.release(host);
    }
  }

  /** Refuses everything that waits. */
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
    const left = (this.running.get(host) ?? 1) - 1;
    if (left > 0) this.running.set(host, left);
    else this.running.delete(host);
    this.startNext();
  }

  /** One ended, so at most one can start: the first whose host is free. */
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
    const forHost = this.waiting.filter(waiting => waiting.host === host).length;
    if (this.waiting.length >= this.limits.queueMax || forHost >= this.limits.queuePerHostMax) {
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
