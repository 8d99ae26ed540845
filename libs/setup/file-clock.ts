import { readFileSync } from 'node:fs';
import { Clock, systemClock } from '#libs/kernel/clock.js';

const CACHE_MS = 20;

/** The system's clock plus an offset in ms from a file, so that a test can move all processes at once. */
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
    if (Date.now() - this.readAt < CACHE_MS) return this.offset;
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

export const clockOf = ({ testClockFile }: { readonly testClockFile: string | null }): Clock =>
  testClockFile === null ? systemClock : new FileClock(testClockFile);
