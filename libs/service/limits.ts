import { Callers } from '#libs/http/limiting/callers.js';
import type { LimitingDependencies } from '#libs/http/limiting/request-limits.js';
import type { Clock } from '#libs/kernel/clock.js';
import { SharedCounters } from '#libs/platform/limits/counters.js';
import { GENERAL } from '#libs/platform/limits/general.js';
import { LimitTable } from '#libs/platform/limits/limit-table.js';
import { Limiter } from '#libs/platform/limits/limiter.js';
import { OwnCounters } from '#libs/platform/limits/own.counters.js';
import { PAYMENT_ATTEMPTS, PAYMENT_REFUSALS } from '#libs/payments/limits.js';
import { SettingError } from '#libs/setup/setting.js';
import type { Settings } from '#libs/setup/settings.js';
import type { Stores } from '#libs/setup/stores.js';
import { ROUTES } from './routes.js';

/** Every limit that is declared, the general ones first. */
export const LIMITS = [
  ...GENERAL,
  ...ROUTES.writes.flatMap(({ limits }) => limits),
  PAYMENT_ATTEMPTS,
  PAYMENT_REFUSALS,
];

/** `isAlone`: no other process counts on these stores. Throws a `SettingError` about a limit that there is not. */
export function limitsOf(
  { rateLimits }: Settings,
  { coordination, limitSecret }: Stores,
  clock: Clock,
  isAlone: boolean,
): LimitingDependencies {
  const counters = isAlone ? new OwnCounters(coordination, clock) : new SharedCounters(coordination, clock);
  return {
    limiter: new Limiter(counters, clock),
    table: limitTable(rateLimits),
    callers: new Callers(limitSecret, clock),
    clock,
  };
}

/** What each limit is. Throws a `SettingError` about one that there is not. */
export function limitTable(rules: Settings['rateLimits']): LimitTable {
  try {
    return new LimitTable(LIMITS, rules);
  } catch (error) {
    throw new SettingError('RATE_LIMITS', (error as Error).message);
  }
}
