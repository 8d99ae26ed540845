import { seededRandom } from '../../hostile-requests.js';

/** A seeded generator, so that a failed run can be repeated. */
export class Random {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seededRandom(seed);
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
