import { isIn, IsIn, IsString, isString, matches, Matches, ValidateBy, type ValidationOptions } from 'class-validator';
import type { Reason } from '#libs/kernel/field-faults.js';

/** Constraint of class-validator on the text of a request field. */
export interface Constraint<T = string> {
  /** Reason of a refusal by this constraint. */
  readonly reason: Reason;
  readonly holds: (text: T) => boolean;
  readonly decorate: (options: ValidationOptions) => PropertyDecorator;
}

export const constraint = (name: string, reason: Reason, holds: (text: string) => boolean): Constraint => ({
  reason,
  holds,
  decorate: options => ValidateBy({ name, validator: { validate: text => holds(text as string) } }, options),
});

export const matchesPattern = (expression: RegExp, reason: Reason = 'malformed'): Constraint => ({
  reason,
  holds: text => matches(text, expression),
  decorate: options => Matches(expression, options),
});

export const isOneOf = (values: readonly string[]): Constraint => ({
  reason: 'unknown_value',
  holds: text => isIn(text, values),
  decorate: options => IsIn(values, options),
});

export const isText: Constraint<unknown> = { reason: 'not_text', holds: isString, decorate: IsString };
export const isWellFormed = constraint('isWellFormed', 'forbidden_characters', text => text.isWellFormed());

export const countCodePoints = (text: string) => [...text].length;

/** In Unicode code points. `Length` of class-validator skips variation selectors. */
export interface LengthBounds {
  readonly min?: number;
  readonly max: number;
}

export const isAtMost = (max: number, read = (text: string) => text) =>
  constraint('isAtMost', 'too_long', text => countCodePoints(read(text)) <= max);
export const isAtLeast = (min: number, read = (text: string) => text) =>
  constraint('isAtLeast', 'too_short', text => countCodePoints(read(text)) >= min);

/** Control characters (Unicode category Cc). */
const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_LINES = /[^\P{Cc}\n\r\t]/u;

export const hasControlCharacters = (text: string) => CONTROL.test(text);

export const isOneLine = constraint('isOneLine', 'forbidden_characters', text => !hasControlCharacters(text));
export const isLines = constraint('isLines', 'forbidden_characters', text => !CONTROL_BUT_LINES.test(text));

export const isWholeNumber = constraint('isWholeNumber', 'not_a_number', text => /^-?[0-9]+$/.test(text));
/** Without leading zeros. */
export const isBetween = (from: number, to: number) =>
  constraint('isBetween', 'out_of_range', text => {
    const value = /^[1-9][0-9]{0,8}$|^0$/.test(text) ? Number(text) : Number.NaN;
    return value >= from && value <= to;
  });
