import type { Clock } from '#libs/kernel/clock.js';

export class TestClock implements Clock {
  constructor(public ms = Date.UTC(2026, 10, 21, 12)) {}

  now(): number {
    return this.ms;
  }

  advance(ms: number): void {
    this.ms += ms;
  }
}
