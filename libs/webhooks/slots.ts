import { bounded } from '#libs/kernel/bounded.js';
import { SECOND_MS } from '#libs/kernel/clock.js';

/** How many deliveries run at once, and how many of them to receivers that are slow or not known yet. */
const SLOTS = 30;
const SLOW_SLOTS = 10;
/** How many of them are one muse's, and how many of the slow ones go to one host, whosever they are. */
const OF_ONE_MUSE = 3;
const SLOW_OF_ONE_HOST = 3;
/** Who has answered within this time is not slow. */
const QUICK_MS = 2 * SECOND_MS;
/** How many receivers are known to be quick. */
const KNOWN_MAX = 50_000;

interface Running {
  readonly muse: string;
  readonly isSlow: boolean;
  /** Null until it is known. */
  readonly host: string | null;
}

/** Who waits for a slot, by what was in its way. */
interface Awaited {
  isAny: boolean;
  isSlow: boolean;
  readonly muses: Set<string>;
}
const nobody = (): Awaited => ({ isAny: false, isSlow: false, muses: new Set() });

/** Who may be delivered to now: receivers that are slow, or that nobody knows, never take the place of the others. */
export class Slots {
  private readonly running = new Map<string, Running>();
  private awaited = nobody();
  private readonly quick = bounded<string, true>(KNOWN_MAX);

  has(key: string): boolean {
    return this.running.has(key);
  }

  get isFull(): boolean {
    return this.running.size >= SLOTS;
  }

  /** Gives back the slot; undefined where there is none for this one now. */
  take(key: string, muse: string): (() => void) | undefined {
    const isSlow = !this.quick.has(key);
    if (!this.hasRoom(muse, isSlow)) return undefined;
    this.running.set(key, { muse, isSlow, host: null });
    return () => void this.running.delete(key);
  }

  /** Where there is none, what is in the way is kept. */
  private hasRoom(muse: string, isSlow: boolean): boolean {
    const ofMuse = this.count(other => other.muse === muse) >= OF_ONE_MUSE;
    const tooSlow = isSlow && this.count(other => other.isSlow) >= SLOW_SLOTS;
    if (this.isFull) this.awaited.isAny = true;
    else if (ofMuse) this.awaited.muses.add(muse);
    else if (tooSlow) this.awaited.isSlow = true;
    return !this.isFull && !ofMuse && !tooSlow;
  }

  /** Everybody who is due is asked for anew. */
  beginLook(): void {
    this.awaited = nobody();
  }

  /** Whether somebody else was left without the slot that a hook would go on in. */
  isAwaited(key: string, muse: string): boolean {
    const { isAny, isSlow, muses } = this.awaited;
    return isAny || muses.has(muse) || (isSlow && !this.quick.has(key));
  }

  /** Whether one that has a slot may send to a host: many that wait for one slow host leave room for the others. */
  mayAsk(key: string, host: string): boolean {
    const own = this.running.get(key);
    if (!own || own.host === host) return own !== undefined;
    if (own.isSlow && this.count(other => other.isSlow && other.host === host) >= SLOW_OF_ONE_HOST) return false;
    this.running.set(key, { ...own, host });
    return true;
  }

  /** How long its receiver has taken; `null` where it did not take the message. */
  answered(key: string, tookMs: number | null): void {
    if (tookMs !== null && tookMs <= QUICK_MS) this.quick.set(key, true);
    else this.quick.delete(key);
  }

  private count(counts: (running: Running) => boolean): number {
    return [...this.running.values()].filter(counts).length;
  }
}
