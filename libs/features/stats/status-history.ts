import { Injectable } from '@nestjs/common';
import { RequestMeter } from '#libs/http/request-meter.js';
import { Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { findProblems, largestLag, type Problem, type ReportedParts } from './health-problems.js';
import { HealthReport } from './health-report.js';

export const SAMPLE_MS = MINUTE_MS;
const SAMPLES_MAX = (3 * HOUR_MS) / SAMPLE_MS;
/** Rates of a shorter time would mostly show chance, so the sample keeps those of the one before. */
const RATE_MS_MIN = 10 * SECOND_MS;

/** Public numbers of one moment. Null members are unknown. */
export interface StatusSample {
  /** Unix ms. */
  readonly at: number;
  /** Requests of this process a minute since the last stored sample, or since its start. */
  readonly requests: number | null;
  readonly failed: number | null;
  readonly medianMs: number | null;
  readonly slowMs: number | null;
  /** Events that the slowest projection has not processed. */
  readonly lag: number | null;
  readonly openPayments: number | null;
  readonly webhooksWaiting: number | null;
  readonly webhooksFailing: number | null;
}

export interface CurrentProblem extends Problem {
  readonly since: number;
  /** False if the first sample of this process had it too: it may be older. */
  readonly isSinceKnown: boolean;
}

/** Parts of a health report that are sampled. */
type SampledHealth = ReportedParts & {
  readonly payments: { readonly open: number | null };
  readonly webhooks: { readonly waiting: number; readonly failing: number } | null;
};

/** Keeps samples of the last three hours in memory. They start with the process, and hold nothing about an agent. */
@Injectable()
export class StatusHistory {
  private readonly samples: StatusSample[] = [];
  private problems: readonly CurrentProblem[] = [];
  private meteredSince: number;

  constructor(
    private readonly report: HealthReport,
    private readonly meter: RequestMeter,
    private readonly clock: Clock,
  ) {
    this.meteredSince = clock.now();
  }

  async sample(): Promise<void> {
    const { body } = await this.report.make();
    const now = this.clock.now();
    this.add(body, now);
    this.meter.reset();
    this.meteredSince = now;
    if (this.samples.length > SAMPLES_MAX) this.samples.shift();
  }

  private add(health: SampledHealth, at: number): void {
    this.problems = this.problemsOf(health, at);
    this.samples.push(this.sampleOf(health, at));
  }

  /** Returns the samples with one of this moment at the end, and the problems of a report. */
  read(health: SampledHealth): {
    readonly samples: readonly StatusSample[];
    readonly problems: readonly CurrentProblem[];
  } {
    const now = this.clock.now();
    if (this.samples.length === 0) this.add(health, now);
    const samples = this.samples.filter(({ at }) => at <= now);
    return { samples: [...samples, this.sampleOf(health, now)], problems: this.problemsOf(health, now) };
  }

  private problemsOf(health: SampledHealth, at: number): CurrentProblem[] {
    const isSinceKnown = this.samples.length > 0;
    return findProblems(health, at).map(problem => {
      const earlier = this.problems.find(({ id }) => id === problem.id);
      return earlier ? { ...earlier, ...problem } : { ...problem, since: at, isSinceKnown };
    });
  }

  private sampleOf({ projections, payments, webhooks }: SampledHealth, at: number): StatusSample {
    const { requests, failed, medianMs, slowMs } = this.meter.read();
    const previous = this.samples.at(-1);
    const elapsedMs = at - this.meteredSince;
    const perMinute = (count: number, last: number | null = null) =>
      elapsedMs < RATE_MS_MIN ? last : (count * MINUTE_MS) / elapsedMs;
    return {
      at,
      requests: perMinute(requests, previous?.requests),
      failed: perMinute(failed, previous?.failed),
      medianMs,
      slowMs,
      lag: largestLag(projections),
      openPayments: payments.open,
      webhooksWaiting: webhooks?.waiting ?? null,
      webhooksFailing: webhooks?.failing ?? null,
    };
  }
}
