import cliProgress from 'cli-progress';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';

/** How often the bar is drawn, a second. */
const DRAWN_PER_SECOND = 10;
const KNOWN = '{what} [{bar}] {percentage}%  {value}/{total}  {rate}/s  {left} left';
const UNKNOWN = '{what} {value}  {rate}/s';

/** Where a bar is drawn: standard error, so that what a command answers stays clean. */
export interface BarStream {
  readonly isTTY?: boolean;
}

/** How fast a long work goes, and how long it still takes at that rate. */
export function progressRate(done: number, total: number | null, elapsedMs: number): { rate: number; left: string } {
  const perMs = elapsedMs > 0 ? done / elapsedMs : 0;
  const leftMs = total !== null && perMs > 0 ? Math.max(0, total - done) / perMs : NaN;
  return { rate: Math.round(perMs * SECOND_MS), left: Number.isNaN(leftMs) ? '?' : formatDuration(leftMs) };
}

function formatDuration(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  const seconds = Math.ceil((ms - minutes * MINUTE_MS) / SECOND_MS);
  return minutes > 0 ? `${minutes}m ${seconds}s` : `${seconds}s`;
}

/** Bars for the parts of a long work, one after the other, with rate and remaining time; only on a terminal. */
export class ProgressBars {
  private bar: cliProgress.SingleBar | null = null;
  private what = '';
  private startedAt = 0;
  private readonly drawn: boolean;

  constructor(private readonly stream: BarStream = process.stderr) {
    this.drawn = stream.isTTY === true;
  }

  /** Told of a part, it draws the part's bar. */
  readonly partBar =
    (what: string) =>
    (done: number, total: number | null = null): void => {
      if (!this.drawn) return;
      if (what !== this.what) this.begin(what, total);
      const payload = { what, ...progressRate(done, total, performance.now() - this.startedAt) };
      this.bar?.update(done, payload);
    };

  /** Leaves the terminal as it was. */
  end(): void {
    this.bar?.stop();
    this.bar = null;
    this.what = '';
  }

  private begin(what: string, total: number | null): void {
    this.end();
    this.what = what;
    this.startedAt = performance.now();
    this.bar = new cliProgress.SingleBar({
      format: total === null ? UNKNOWN : KNOWN,
      fps: DRAWN_PER_SECOND,
      hideCursor: true,
      clearOnComplete: true,
      stream: this.stream as NodeJS.WriteStream,
    });
    this.bar.start(total ?? 0, 0, { what, rate: 0, left: '?' });
  }
}
