import { type Standing, secondsLeft } from './limiter.js';
import type { Limit } from './limit.js';

/** As a list of draft-ietf-httpapi-ratelimit-headers: what is allowed, by name. */
export const policyHeader = (limits: readonly Limit[]): string => limits.map(policyOf).join(', ');

/** As another list of that draft: what is left of it, and for how many seconds. */
export const standingHeader = (standings: readonly Standing[], now: number): string =>
  standings.map(standing => itemOf(standing, now)).join(', ');

const policyOf = ({ name, points, seconds }: Limit) => `"${name}";q=${points};w=${seconds}`;

function itemOf(standing: Standing, now: number): string {
  const { name, points } = standing.limit;
  return `"${name}";r=${Math.max(0, points - standing.sum)};t=${secondsLeft(standing, now)}`;
}
