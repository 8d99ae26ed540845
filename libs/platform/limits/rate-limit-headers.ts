import { type LimitUsage, secondsUntilReset } from './limiter.js';
import type { Limit } from './limit.js';

/** `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers. */
export const rateLimitPolicyHeader = (limits: readonly Limit[]): string => limits.map(policyOf).join(', ');

/** `RateLimit` of the same draft: remaining points and seconds. */
export const rateLimitHeader = (standings: readonly LimitUsage[], now: number): string =>
  standings.map(standing => itemOf(standing, now)).join(', ');

const policyOf = ({ name, points, seconds }: Limit) => `"${name}";q=${points};w=${seconds}`;

function itemOf(standing: LimitUsage, now: number): string {
  const { name, points } = standing.limit;
  return `"${name}";r=${Math.max(0, points - standing.sum)};t=${secondsUntilReset(standing, now)}`;
}
