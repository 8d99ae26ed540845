import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { Findings } from '#libs/audit/findings.js';
import type { Check, ExaminedEvent } from './check.js';

/** A decision reads what the log had a minute before, and clocks may differ by another one. */
const STALE_MS = 2 * MINUTE_MS;

/** A decision may miss only what was written while it was made: it names old revisions of no stream. */
export class StaleCheck implements Check {
  /** Time of each revision, unix ms. */
  private readonly times = new Map<string, number[]>();

  constructor(private readonly findings: Findings) {}

  examine({ shown, opened }: ExaminedEvent): void {
    if (!opened) return;
    for (const [stream, revision] of Object.entries(shown.based_on)) {
      const ageMs = shown.at - (this.times.get(stream)?.[revision + 1] ?? Infinity);
      if (ageMs <= STALE_MS) continue;
      const sentence = `It is based on revision ${revision} of ${stream}, which had a newer one for`;
      this.findings.add('stale', `${sentence} ${Math.round(ageMs / SECOND_MS)} s.`, shown);
    }
    const times = this.times.get(shown.stream);
    if (times) times[shown.revision] = shown.at;
    else this.times.set(shown.stream, [shown.at]);
  }
}
