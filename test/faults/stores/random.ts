/** A seeded generator, so that a failed run can be repeated. */
export class Random {
  constructor(private state: number) {}

  /** Returns a number in [0, 1), by mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)]!;
  }

  *rounds<T>(items: readonly T[]): Generator<T, never> {
    for (;;)
      yield* items
        .map(item => ({ item, at: this.next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item);
  }
}
