import type { FastifyReply, FastifyRequest } from 'fastify';
import { isInnerRequest } from './inner-request.js';
import { settingsOf } from './routes.js';

/** Upper bounds of the durations that are counted together; longer ones count as the last. */
const BOUNDS_MS = [1, 2, 3, 5, 8, 13, 20, 32, 50, 80, 130, 200, 320, 500, 800, 1_300, 2_000, 3_200, 5_000, 10_000];
const FAILED_STATUS_MIN = 500;
const SLOW_SHARE = 0.95;

export interface RequestCounts {
  readonly requests: number;
  /** Answered with 5xx. */
  readonly failed: number;
  /** Within this time half of the requests were answered; null without requests. */
  readonly medianMs: number | null;
  /** Within this time 95 % of the requests were answered. */
  readonly slowMs: number | null;
}

/** Counts the requests of this process, cheaply enough for every request. */
export class RequestMeter {
  private requests = 0;
  private failed = 0;
  private durations = BOUNDS_MS.map(() => 0);

  count(request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply): void {
    if (!isInnerRequest(request)) {
      this.requests += 1;
      if (statusCode >= FAILED_STATUS_MIN) this.failed += 1;
    }
    if (!isTimed(request)) return;
    const at = BOUNDS_MS.findIndex(bound => elapsedTime <= bound);
    this.durations[at < 0 ? BOUNDS_MS.length - 1 : at]! += 1;
  }

  /** Returns the counts since the last reset. */
  read(): RequestCounts {
    const { requests, failed } = this;
    return { requests, failed, medianMs: this.quantile(1 / 2), slowMs: this.quantile(SLOW_SHARE) };
  }

  reset(): void {
    this.requests = 0;
    this.failed = 0;
    this.durations.fill(0);
  }

  private quantile(share: number): number | null {
    const total = this.durations.reduce((sum, count) => sum + count, 0);
    if (total === 0) return null;
    let left = total * share;
    const at = this.durations.findIndex(count => (left -= count) <= 0);
    return BOUNDS_MS[at]!;
  }
}

/** Long polls wait on purpose. MCP and A2A (`other`) are timed by the inner requests that they send. */
function isTimed(request: FastifyRequest): boolean {
  const { read, write } = settingsOf(request);
  return (read ?? write) !== undefined && !hasWait(request.query) && !hasWait(request.body);
}

const hasWait = (fields: unknown) => (fields as { readonly wait?: unknown } | null | undefined)?.wait !== undefined;
