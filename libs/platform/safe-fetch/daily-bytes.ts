import { createLruCache } from '#libs/kernel/lru-cache.js';
import { type Clock, DAY_MS } from '#libs/kernel/clock.js';
import { FetchFailure } from './failure.js';

const ACCOUNTS_MAX = 50_000;

export interface DailyLimits {
  readonly dailyBytesMax: number;
  readonly dailyBytesPerAccountMax: number;
}

export class DailyBytes {
  private day = 0;
  private used = 0;
  private readonly usedByAccount = createLruCache<string, number>(ACCOUNTS_MAX);

  constructor(
    private readonly clock: Clock,
    private readonly limits: DailyLimits,
  ) {}

  /** Throws `daily_limit` once the total or the account's share is used up. `0` bytes only check. */
  add(bytes: number, account: string | undefined): void {
    this.beginDay();
    const { dailyBytesMax, dailyBytesPerAccountMax } = this.limits;
    const usedByThis = account === undefined ? 0 : (this.usedByAccount.get(account) ?? 0);
    const neededBytes = Math.max(bytes, 1);
    const isFull =
      this.used + neededBytes > dailyBytesMax ||
      (account !== undefined && usedByThis + neededBytes > dailyBytesPerAccountMax);
    if (isFull) throw new FetchFailure('daily_limit');
    this.used += bytes;
    if (account !== undefined && bytes > 0) this.usedByAccount.set(account, usedByThis + bytes);
  }

  private beginDay(): void {
    const today = Math.floor(this.clock.now() / DAY_MS);
    if (today === this.day) return;
    [this.day, this.used] = [today, 0];
    this.usedByAccount.clear();
  }
}
