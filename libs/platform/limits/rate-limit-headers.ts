import { type LimitUsage, secondsUntilReset } from './limiter.js';
import type { Limit } from './limit.js';

/** `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers. */
export const rateLimitPolicyHeader = (limits: readonly Limit[]): string => limits.map(policyOf).join(', ');

/** `RateLimit` of the same draft: remaining points and seconds. */
export const rateLimitHeader = (usages: readonly LimitUsage[], now: number): string =>
  usages.map(usage => itemOf(usage, now)).join(', ');

const policyOf = ({ name, points, seconds }: Limit) => `"${name}";q=${points};w=${seconds}`;

function itemOf(usage: LimitUsage, now: number): string {
  const { name, points } = usage.limit;
  return `"${name}";r=${Math.max(0, points - usage.sum)};t=${secondsUntilReset(usage, now)}`;
}
