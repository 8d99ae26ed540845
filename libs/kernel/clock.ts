/** Where time comes from. Everything that asks for the time asks a `Clock`, so that a test can move it. */
export abstract class Clock {
  /** Unix time in milliseconds. */
  abstract now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** One unit of time in milliseconds, to be multiplied. */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Days since 1970, in UTC. */
export const dayOf = (at: number) => Math.floor(at / DAY_MS);
