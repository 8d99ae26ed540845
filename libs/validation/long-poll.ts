import { SECOND_MS } from '#libs/kernel/clock.js';
import { textValidator, mapValidator } from './field-validator.js';
import { DIGITS, classifyNumberFault } from './validators.js';

export const WAIT_SECONDS_MAX = 25;

export const waitMs = mapValidator(
  textValidator({
    schema: { type: 'string', pattern: DIGITS.source },
    accepts: text => DIGITS.test(text),
    expectation: 'a number of seconds',
    fault: classifyNumberFault,
  }),
  text => Math.min(Number(text), WAIT_SECONDS_MAX) * SECOND_MS,
  'number',
);
