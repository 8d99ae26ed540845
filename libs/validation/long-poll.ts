import { Type } from 'typebox';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { isWholeNumber } from '#libs/values/constraint.js';
import { DIGITS, isDigits } from '#libs/values/values.js';
import { parsedValue, textValue } from '#libs/values/value.js';

export const WAIT_SECONDS_MAX = 25;

export const waitMs = parsedValue(
  textValue({
    schema: { type: 'string', pattern: DIGITS.source },
    rules: [isWholeNumber, isDigits],
    mustBe: 'a number of seconds',
  }),
  text => Math.min(Number(text), WAIT_SECONDS_MAX) * SECOND_MS,
  Type.Integer(),
  'number',
);
