const EVERY_MS = 100;
const PER_SECOND = 1_000;

/** One line on a terminal that says how far a run is; nothing where nobody watches. */
export class Progress {
  private shownAt = 0;
  private readonly startedAt = performance.now();

  constructor(
    private readonly what: string,
    private readonly out: { write(text: string): unknown; readonly isTTY?: boolean } = process.stderr,
  ) {}

  readonly show = (events: number): void => {
    const now = performance.now();
    if (this.out.isTTY !== true || now - this.shownAt < EVERY_MS) return;
    this.shownAt = now;
    const rate = Math.round((events / (now - this.startedAt)) * PER_SECOND);
    this.out.write(`\r${this.what}: ${events} events, ${rate} a second\u001b[K`);
  };

  end(): void {
    if (this.shownAt > 0) this.out.write('\r\u001b[K');
  }
}
