/** What a seed says: the same seed gives the same order, so that a run that failed can be asked for again. */
export class Random {
  constructor(private state: number) {}

  /** From 0 to below 1: mulberry32. */
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

  /** All of them in an order of its own, then again in another, without end. */
  *rounds<T>(items: readonly T[]): Generator<T, never> {
    for (;;)
      yield* items
        .map(item => ({ item, at: this.next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item);
  }
}
