import { createLruCache } from '#libs/kernel/lru-cache.js';
import { SECOND_MS } from '#libs/kernel/clock.js';

/** How many deliveries run at once, and how many of them to receivers that are slow or not known yet. */
const SLOTS_MAX = 30;
const SLOW_SLOTS_MAX = 10;
/** How many of them are one muse's, and how many of the slow ones go to one host, whosever they are. */
const PER_MUSE_MAX = 3;
const SLOW_PER_HOST_MAX = 3;
/** Who has answered within this time is not slow. */
const QUICK_MS = 2 * SECOND_MS;
/** How many receivers are known to be quick. */
const KNOWN_MAX = 50_000;

interface RunningDelivery {
  readonly muse: string;
  readonly isSlow: boolean;
  /** Null until it is known. */
  readonly host: string | null;
}

/** Who waits for a slot, by what was in its way. */
interface SlotDemand {
  isAny: boolean;
  isSlow: boolean;
  readonly muses: Set<string>;
}
const noDemand = (): SlotDemand => ({ isAny: false, isSlow: false, muses: new Set() });

/** Who may be delivered to now: receivers that are slow, or that nobody knows, never take the place of the others. */
export class DeliverySlots {
  private readonly running = new Map<string, RunningDelivery>();
  private demand = noDemand();
  private readonly quick = createLruCache<string, true>(KNOWN_MAX);

  has(key: string): boolean {
    return this.running.has(key);
  }

  get isFull(): boolean {
    return this.running.size >= SLOTS_MAX;
  }

  /** Gives back the slot; undefined where there is none for this one now. */
  acquire(key: string, muse: string): (() => void) | undefined {
    const isSlow = !this.quick.has(key);
    if (!this.hasRoom(muse, isSlow)) return undefined;
    this.running.set(key, { muse, isSlow, host: null });
    return () => void this.running.delete(key);
  }

  /** Where there is none, what is in the way is kept. */
  private hasRoom(muse: string, isSlow: boolean): boolean {
    const ofMuse = this.count(other => other.muse === muse) >= PER_MUSE_MAX;
    const tooSlow = isSlow && this.count(other => other.isSlow) >= SLOW_SLOTS_MAX;
    if (this.isFull) this.demand.isAny = true;
    else if (ofMuse) this.demand.muses.add(muse);
    else if (tooSlow) this.demand.isSlow = true;
    return !this.isFull && !ofMuse && !tooSlow;
  }

  /** Everybody who is due is asked for anew. */
  resetDemand(): void {
    this.demand = noDemand();
  }

  /** Whether somebody else was left without the slot that a hook would go on in. */
  isDemanded(key: string, muse: string): boolean {
    const { isAny, isSlow, muses } = this.demand;
    return isAny || muses.has(muse) || (isSlow && !this.quick.has(key));
  }

  /** Whether one that has a slot may send to a host: many that wait for one slow host leave room for the others. */
  canSendTo(key: string, host: string): boolean {
    const own = this.running.get(key);
    if (!own || own.host === host) return own !== undefined;
    if (own.isSlow && this.count(other => other.isSlow && other.host === host) >= SLOW_PER_HOST_MAX) return false;
    this.running.set(key, { ...own, host });
    return true;
  }

  /** How long its receiver has taken; `null` where it did not take the message. */
  recordResponse(key: string, tookMs: number | null): void {
    if (tookMs !== null && tookMs <= QUICK_MS) this.quick.set(key, true);
    else this.quick.delete(key);
  }

  private count(counts: (running: RunningDelivery) => boolean): number {
    return [...this.running.values()].filter(counts).length;
  }
}
