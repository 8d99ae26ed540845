import { SECOND_MS } from '#libs/kernel/clock.js';
import { check, readAs } from './check.js';
import { DIGITS, faultOfNumber } from './words.js';

/** How long a request may wait for something to come. */
export const WAIT_SECONDS_MAX = 25;

/** Seconds, as ms: a larger number is cut to the maximum. */
export const waitMs = readAs(
  check({
    schema: { type: 'string', pattern: DIGITS.source },
    holds: text => DIGITS.test(text),
    mustBe: 'a number of seconds',
    fault: faultOfNumber,
  }),
  text => Math.min(Number(text), WAIT_SECONDS_MAX) * SECOND_MS,
  'number',
);
