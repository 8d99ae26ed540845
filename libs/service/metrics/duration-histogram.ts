import { SECOND_MS } from '#libs/kernel/clock.js';

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
export class DurationHistogram {
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
