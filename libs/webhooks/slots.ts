import { LRUCache } from 'lru-cache';
import { SECOND_MS } from '#libs/kernel/clock.js';

/** How many deliveries run at once, and how many of them to receivers that are slow or not known yet. */
const SLOTS = 30;
const SLOW_SLOTS = 10;
/** How many of them are one muse's. */
const OF_ONE_MUSE = 3;
/** Who has answered within this time is not slow. */
const QUICK_MS = 2 * SECOND_MS;
/** How many receivers are known to be quick. */
const KNOWN_MAX = 50_000;

/** Who may be delivered to now: receivers that are slow, or that nobody knows, never take the place of the others. */
export class Slots {
  private readonly running = new Map<string, string>();
  private readonly quick = new LRUCache<string, true>({ max: KNOWN_MAX });
  private slow = 0;

  has(key: string): boolean {
    return this.running.has(key);
  }

  get isFull(): boolean {
    return this.running.size >= SLOTS;
  }

  /** Gives back the slot; undefined where there is none for this one now. */
  take(key: string, muse: string): (() => void) | undefined {
    const isSlow = !this.quick.has(key);
    const own = [...this.running.values()].filter(other => other === muse).length;
    if (this.isFull || (isSlow && this.slow >= SLOW_SLOTS) || own >= OF_ONE_MUSE) return undefined;
    this.running.set(key, muse);
    if (isSlow) this.slow += 1;
    return () => {
      this.running.delete(key);
      if (isSlow) this.slow -= 1;
    };
  }

  /** How long its receiver has taken; `null` where it did not take the message. */
  answered(key: string, tookMs: number | null): void {
    if (tookMs !== null && tookMs <= QUICK_MS) this.quick.set(key, true);
    else this.quick.delete(key);
  }
}
