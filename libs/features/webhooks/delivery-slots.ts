import { createLruCache } from '#libs/kernel/lru-cache.js';
import { SECOND_MS } from '#libs/kernel/clock.js';

const SLOTS_MAX = 30;
const SLOW_SLOTS_MAX = 10;
const PER_MUSE_MAX = 3;
const SLOW_PER_HOST_MAX = 3;
const QUICK_MS = 2 * SECOND_MS;
const QUICK_RECEIVERS_MAX = 50_000;

interface RunningDelivery {
  readonly muse: string;
  readonly isSlow: boolean;
  readonly host: string | null;
}

interface SlotDemand {
  isAny: boolean;
  isSlow: boolean;
  readonly muses: Set<string>;
}
const noDemand = (): SlotDemand => ({ isAny: false, isSlow: false, muses: new Set() });

/** Limits parallel deliveries so that slow or unknown receivers do not block quick ones. */
export class DeliverySlots {
  private readonly running = new Map<string, RunningDelivery>();
  private demand = noDemand();
  private readonly quick = createLruCache<string, true>(QUICK_RECEIVERS_MAX);

  has(key: string): boolean {
    return this.running.has(key);
  }

  get isFull(): boolean {
    return this.running.size >= SLOTS_MAX;
  }

  acquire(key: string, muse: string): (() => void) | undefined {
    const isSlow = !this.quick.has(key);
    if (!this.hasRoom(muse, isSlow)) return undefined;
    this.running.set(key, { muse, isSlow, host: null });
    return () => void this.running.delete(key);
  }

  private hasRoom(muse: string, isSlow: boolean): boolean {
    const isMuseFull = this.count(other => other.muse === muse) >= PER_MUSE_MAX;
    const isSlowFull = isSlow && this.count(other => other.isSlow) >= SLOW_SLOTS_MAX;
    if (this.isFull) this.demand.isAny = true;
    else if (isMuseFull) this.demand.muses.add(muse);
    else if (isSlowFull) this.demand.isSlow = true;
    return !this.isFull && !isMuseFull && !isSlowFull;
  }

  resetDemand(): void {
    this.demand = noDemand();
  }

  isDemanded(key: string, muse: string): boolean {
    const { isAny, isSlow, muses } = this.demand;
    return isAny || muses.has(muse) || (isSlow && !this.quick.has(key));
  }

  canSendTo(key: string, host: string): boolean {
    const delivery = this.running.get(key);
    if (!delivery || delivery.host === host) return delivery !== undefined;
    if (delivery.isSlow && this.count(other => other.isSlow && other.host === host) >= SLOW_PER_HOST_MAX) return false;
    this.running.set(key, { ...delivery, host });
    return true;
  }

  /** `tookMs` is null for a failed delivery. */
  recordResponse(key: string, tookMs: number | null): void {
    if (tookMs !== null && tookMs <= QUICK_MS) this.quick.set(key, true);
    else this.quick.delete(key);
  }

  private count(matches: (running: RunningDelivery) => boolean): number {
    return [...this.running.values()].filter(matches).length;
  }
}
