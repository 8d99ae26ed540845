import { createLruCache } from '#libs/kernel/lru-cache.js';
import { type Clock, DAY_MS } from '#libs/kernel/clock.js';
import { FetchFailure } from './failure.js';

/** How many accounts are kept apart; what all of them may use together holds beside that. */
const ACCOUNTS_MAX = 50_000;

export interface DailyLimits {
  /** Of all. */
  readonly dailyBytesMax: number;
  /** Of each account, so that nobody uses up what is there for all. */
  readonly dailyBytesPerAccountMax: number;
}

/** Counts what was received since midnight UTC, so that strangers cannot make us read without end. */
export class DailyBytes {
  private day = 0;
  private used = 0;
  private readonly usedByAccount = createLruCache<string, number>(ACCOUNTS_MAX);

  constructor(
    private readonly clock: Clock,
    private readonly limits: DailyLimits,
  ) {}

  /**
   * Throws a `FetchFailure` `daily_limit` once more than the day's bytes were received, in all or for the account; `0`
   * bytes only ask.
   */
  add(bytes: number, account: string | undefined): void {
    this.beginDay();
    const { dailyBytesMax, dailyBytesPerAccountMax } = this.limits;
    const by = account === undefined ? 0 : (this.usedByAccount.get(account) ?? 0);
    const more = Math.max(bytes, 1);
    const isFull = this.used + more > dailyBytesMax || (account !== undefined && by + more > dailyBytesPerAccountMax);
    if (isFull) throw new FetchFailure('daily_limit');
    this.used += bytes;
    if (account !== undefined && bytes > 0) this.usedByAccount.set(account, by + bytes);
  }

  private beginDay(): void {
    const today = Math.floor(this.clock.now() / DAY_MS);
    if (today === this.day) return;
    [this.day, this.used] = [today, 0];
    this.usedByAccount.clear();
  }
}
