import { CallerAddresses } from '#libs/http/limiting/caller-addresses.js';
import type { LimitingDependencies } from '#libs/http/limiting/request-limits.js';
import type { Clock } from '#libs/kernel/clock.js';
import { SharedCounters } from '#libs/platform/limits/counters.js';
import { GENERAL_LIMITS } from '#libs/platform/limits/general-limits.js';
import { LimitTable } from '#libs/platform/limits/limit-table.js';
import { Limiter } from '#libs/platform/limits/limiter.js';
import { LocalCounters } from '#libs/platform/limits/local.counters.js';
import { PAYMENT_ATTEMPTS, PAYMENT_REFUSALS } from '#libs/payments/payment-limits.js';
import { SettingError } from '#libs/setup/setting.js';
import type { Settings } from '#libs/setup/settings.js';
import type { Stores } from '#libs/setup/stores.js';
import { ROUTES } from './routes.js';

/** All declared limits, general ones first. */
export const DECLARED_LIMITS = [
  ...GENERAL_LIMITS,
  ...ROUTES.writes.flatMap(({ limits }) => limits),
  PAYMENT_ATTEMPTS,
  PAYMENT_REFUSALS,
];

/** `isAlone`: no other process counts on these stores. Throws a `SettingError` for an unknown limit. */
export function createLimiting(
  { rateLimits }: Settings,
  { coordination, limitSecret }: Stores,
  clock: Clock,
  isAlone: boolean,
): LimitingDependencies {
  const counters = isAlone ? new LocalCounters(coordination, clock) : new SharedCounters(coordination, clock);
  return {
    limiter: new Limiter(counters, clock),
    table: createLimitTable(rateLimits),
    callers: new CallerAddresses(limitSecret, clock),
    clock,
  };
}

/** Throws a `SettingError` for an unknown limit. */
export function createLimitTable(rules: Settings['rateLimits']): LimitTable {
  try {
    return new LimitTable(DECLARED_LIMITS, rules);
  } catch (error) {
    throw new SettingError('RATE_LIMITS', (error as Error).message);
  }
}
