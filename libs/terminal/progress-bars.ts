import cliProgress from 'cli-progress';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';

const DRAWS_PER_SECOND = 10;
const WITH_TOTAL = '{phase} [{bar}] {percentage}%  {value}/{total}  {rate}/s  {left} left';
const WITHOUT_TOTAL = '{phase} {value}  {rate}/s';

/** Progress goes to standard error, so that standard output holds only the command's result. */
interface BarStream {
  readonly isTTY?: boolean;
}

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

/** Progress bars for consecutive phases, drawn only on a terminal. */
export class ProgressBars {
  private bar: cliProgress.SingleBar | null = null;
  private phase = '';
  private startedAt = 0;
  private readonly isTerminal: boolean;

  constructor(private readonly stream: BarStream = process.stderr) {
    this.isTerminal = stream.isTTY === true;
  }

  /** Removes the bars before the result is printed. */
  static async during<T>(work: (bars: ProgressBars) => Promise<T>): Promise<T> {
    const bars = new ProgressBars();
    try {
      return await work(bars);
    } finally {
      bars.end();
    }
  }

  /** Returns a callback that draws the bar of one phase. */
  readonly partBar =
    (phase: string) =>
    (done: number, total: number | null = null): void => {
      if (!this.isTerminal) return;
      if (phase !== this.phase) this.begin(phase, total);
      const payload = { phase, ...progressRate(done, total, performance.now() - this.startedAt) };
      this.bar?.update(done, payload);
    };

  end(): void {
    this.bar?.stop();
    this.bar = null;
    this.phase = '';
  }

  private begin(phase: string, total: number | null): void {
    this.end();
    this.phase = phase;
    this.startedAt = performance.now();
    this.bar = new cliProgress.SingleBar({
      format: total === null ? WITHOUT_TOTAL : WITH_TOTAL,
      fps: DRAWS_PER_SECOND,
      hideCursor: true,
      clearOnComplete: true,
      stream: this.stream as NodeJS.WriteStream,
    });
    this.bar.start(total ?? 0, 0, { phase, rate: 0, left: '?' });
  }
}
