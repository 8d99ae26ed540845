import { readFileSync } from 'node:fs';
import { Clock, systemClock } from '#libs/kernel/clock.js';

/** How long an offset that was read is believed. */
const REREAD_MS = 20;

/** The system's clock with an offset in ms that a file holds, so that a test moves every process at once. */
export class FileClock extends Clock {
  private offset = 0;
  private readAt = 0;

  constructor(private readonly file: string) {
    super();
  }

  now(): number {
    return Date.now() + this.offsetMs();
  }

  offsetMs(): number {
    if (Date.now() - this.readAt < REREAD_MS) return this.offset;
    this.readAt = Date.now();
    this.offset = readOffset(this.file);
    return this.offset;
  }
}

function readOffset(file: string): number {
  try {
    const offset = Number(readFileSync(file, 'utf8').trim());
    return Number.isSafeInteger(offset) ? offset : 0;
  } catch {
    return 0;
  }
}

/** The clock of a process: the machine's, or the one that a test moves. */
export const clockOf = ({ testClockFile }: { readonly testClockFile: string | null }): Clock =>
  testClockFile === null ? systemClock : new FileClock(testClockFile);
