import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, type CounterConfiguration, type Registry } from 'prom-client';
import { settingsOf } from '#libs/http/routes.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { isServiceErrorCode } from '#libs/kernel/error-codes.js';

const BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000];
const FAILURE_STATUS_MIN = 400;
/** Only matches a member: inside a value the quotation marks are escaped. */
const CODE = /"code":"([a-z0-9_-]{1,64})"/;
/** All codes that are names of fields share one label, because agents could make up any number of them. */
const FIELD_LABEL = 'field';

export const createCounter = <Label extends string>(registry: Registry, counter: CounterConfiguration<Label>) =>
  new Counter({ ...counter, registers: [registry] });

/** Counts responses by route, method and status, and refusals by code. The route is its template, not the address. */
export class RequestMetrics {
  private readonly durations = new DurationHistogram(
    'http_request_duration_seconds',
    'Duration from a request to the end of its response',
    BOUNDS_MS,
  );
  private readonly refusals;
  private readonly outages;

  constructor(registry: Registry) {
    this.refusals = createCounter(registry, {
      name: 'refusals_total',
      help: 'Refused requests by code; `field` for all refusals of a field',
      labelNames: ['code'],
    });
    this.outages = createCounter(registry, {
      name: 'outage_requests_total',
      help: 'Requests that failed because a part could not be reached, by part',
      labelNames: ['part'],
    });
  }

  countOutage = (part: string): void => this.outages.inc({ part });

  /** Must be called before the routes are added. */
  observe(app: FastifyInstance): void {
    app.addHook('onSend', (_request, reply, payload, done) => {
      if (reply.statusCode >= FAILURE_STATUS_MIN && typeof payload === 'string') this.countRefusal(payload);
      done(null, payload);
    });
    app.addHook('onResponse', (request, reply, done) => {
      this.observeAnswer(request, reply);
      done();
    });
  }

  text(): string {
    return this.durations.text();
  }

  private observeAnswer(request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply): void {
    const { method } = request;
    const route = settingsOf(request).url ?? 'none';
    const labels = () => ({ route, method, status: String(statusCode) });
    this.durations.observe(`${method} ${statusCode} ${route}`, elapsedTime, labels);
  }

  private countRefusal(payload: string): void {
    const code = CODE.exec(payload)?.[1];
    if (code !== undefined) this.refusals.inc({ code: isServiceErrorCode(code) ? code : FIELD_LABEL });
  }
}

interface Series {
  readonly labels: string;
  /** One per bound, and one for longer durations. */
  readonly counts: number[];
  sumMs: number;
}

/**
 * A histogram in Prometheus' text format. prom-client's histogram is too slow for short requests. The keys must be few
 * and fixed.
 */
class DurationHistogram {
  private readonly series = new Map<string, Series>();

  constructor(
    private readonly name: string,
    private readonly help: string,
    /** Upper bounds in ms, ascending. */
    private readonly boundsMs: readonly number[],
  ) {}

  /** `labelsOf` is only called for a new key. */
  observe(key: string, ms: number, labelsOf: () => { readonly [label: string]: string }): void {
    const series = this.series.get(key) ?? this.startSeries(key, labelsOf());
    let at = 0;
    while (at < this.boundsMs.length && ms > this.boundsMs[at]!) at += 1;
    series.counts[at]! += 1;
    series.sumMs += ms;
  }

  text(): string {
    const head = [`# HELP ${this.name} ${this.help}`, `# TYPE ${this.name} histogram`];
    return [...head, ...[...this.series.values()].flatMap(series => this.lines(series)), ''].join('\n');
  }

  private startSeries(key: string, labels: { readonly [label: string]: string }): Series {
    const text = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
    const series: Series = { labels: text.join(), counts: [...this.boundsMs, Infinity].map(() => 0), sumMs: 0 };
    this.series.set(key, series);
    return series;
  }

  private lines({ labels, counts, sumMs }: Series): string[] {
    let count = 0;
    const buckets = counts.map((each, at) => {
      count += each;
      const bound = at < this.boundsMs.length ? String(this.boundsMs[at]! / SECOND_MS) : '+Inf';
      return `${this.name}_bucket{${labels},le="${bound}"} ${count}`;
    });
    const { name } = this;
    return [...buckets, `${name}_sum{${labels}} ${sumMs / SECOND_MS}`, `${name}_count{${labels}} ${count}`];
  }
}
