import { SECOND_MS } from '#libs/kernel/clock.js';
import { Unavailable } from '#libs/kernel/refusal.js';

const QUIET_MS = 5 * SECOND_MS;

interface OutageLogger {
  error(details: object, message: string): void;
  info?(details: object, message: string): void;
}

interface Outage {
  readonly since: number;
  readonly failing: Set<unknown>;
  timer: NodeJS.Timeout;
  lastAt: number;
  requests: number;
}

const trackersByLog = new WeakMap<OutageLogger, OutageTracker>();

/** Outages of a process by component. Logs one line at the start of an outage, with its cause, and one at its end. */
export class OutageTracker {
  private readonly ongoing = new Map<string, Outage>();

  constructor(
    private readonly log: OutageLogger,
    private readonly quietMs = QUIET_MS,
  ) {}

  static of(log: OutageLogger): OutageTracker {
    const outages = trackersByLog.get(log) ?? new OutageTracker(log);
    trackersByLog.set(log, outages);
    return outages;
  }

  /** Lets the log of a thread use the tracker of its parent. */
  static use(log: OutageLogger, outages: OutageTracker): void {
    trackersByLog.set(log, outages);
  }

  /** `work`: retried work that failed. Without it, a request failed. */
  recordOutage(error: Unavailable, work?: unknown): void {
    const { component } = error;
    const outage = this.ongoing.get(component) ?? this.begin(component, error);
    outage.lastAt = performance.now();
    outage.timer.refresh();
    if (work === undefined) outage.requests += 1;
    else outage.failing.add(work);
  }

  recordSuccess(work: unknown): void {
    for (const { failing } of this.ongoing.values()) failing.delete(work);
  }

  stop(): void {
    for (const { timer } of this.ongoing.values()) clearTimeout(timer);
    this.ongoing.clear();
  }

  private begin(component: string, error: Unavailable): Outage {
    this.log.error({ err: error, part: component }, 'an outage began; affected requests are counted until it ends');
    const now = performance.now();
    const timer = setTimeout(() => this.endIfOver(component, outage), this.quietMs).unref();
    const outage: Outage = { since: now, failing: new Set(), timer, lastAt: now, requests: 0 };
    this.ongoing.set(component, outage);
    return outage;
  }

  private endIfOver(component: string, outage: Outage): void {
    if (outage.failing.size > 0) return void outage.timer.refresh();
    clearTimeout(outage.timer);
    this.ongoing.delete(component);
    const { since, lastAt, requests } = outage;
    const details = { part: component, requests, lasted_ms: Math.round(lastAt - since), quiet_ms: this.quietMs };
    this.log.info?.(details, 'an outage ended');
  }
}
