import { SECOND_MS } from '#libs/kernel/clock.js';
import { Unavailable } from '#libs/kernel/refusal.js';

/** Without a request that meets it for so long, an outage is over, as far as anybody here can tell. */
const QUIET_MS = 5 * SECOND_MS;

interface OutageLog {
  error(details: object, message: string): void;
  info(details: object, message: string): void;
}

interface Outage {
  /** Since the process began, ms. */
  readonly since: number;
  readonly end: NodeJS.Timeout;
  lastAt: number;
  requests: number;
}

/**
 * Parts that cannot be reached, each by its name. While one is away every request meets that: the process's log says
 * when it begins, with its cause, and when it is over, with how many requests met it; in between they are counted.
 */
export class Outages {
  private readonly going = new Map<string, Outage>();

  /** `onMet` is called for each request that meets one, with the part's name. */
  constructor(
    private readonly log: OutageLog,
    private readonly onMet: (part: string) => void = () => undefined,
    private readonly quietMs = QUIET_MS,
  ) {}

  /** Whether an error is an outage: then it is told here. */
  takes(error: unknown): boolean {
    if (!(error instanceof Unavailable)) return false;
    const { what: part } = error;
    this.onMet(part);
    const known = this.going.get(part);
    if (known) goOn(known);
    else this.begin(part, error);
    return true;
  }

  stop(): void {
    for (const { end } of this.going.values()) clearTimeout(end);
    this.going.clear();
  }

  private begin(part: string, error: Unavailable): void {
    this.log.error({ err: error, part }, 'an outage begins; requests that meet it are counted until it is over');
    const end = setTimeout(() => this.end(part), this.quietMs).unref();
    const since = performance.now();
    this.going.set(part, { since, end, lastAt: since, requests: 1 });
  }

  private end(part: string): void {
    const { since, lastAt, requests } = this.going.get(part)!;
    this.going.delete(part);
    const details = { part, requests, lasted_ms: Math.round(lastAt - since), quiet_ms: this.quietMs };
    this.log.info(details, 'an outage is over: no request has met it since');
  }
}

function goOn(outage: Outage): void {
  outage.requests += 1;
  outage.lastAt = performance.now();
  outage.end.refresh();
}
