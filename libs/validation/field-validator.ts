import type { JsonObject } from '#libs/kernel/json.js';
import type { Reason } from '#libs/kernel/field-faults.js';

/**
 * Validator of one request field. Keeps check, parsed value and JSON Schema (2020-12) in one place, so that they cannot
 * disagree.
 */
export interface FieldValidator<T = string> {
  readonly schema: JsonObject;
  readonly accepts: (text: string) => boolean;
  /** Completes the sentence "<field> must be ...". */
  readonly expectation: string;
  /** Locates the fault in a structured text: the path within the field, and a correction. */
  readonly locateFault?: (text: string) => { readonly at: string; readonly mustBe: string };
  /** Reason for an invalid text; `malformed` by default. */
  readonly fault?: (text: string) => Reason;
  /** Drops list entries without a visible character instead of refusing the request. */
  readonly dropsInvisible?: boolean;
  /** TypeScript type of the value if it is not a string. */
  readonly type?: string;
  /** Expects a text that was valid once. Must not throw if the rules have become stricter. */
  readonly parse: (text: string) => T;
}

const identity = (text: string) => text;

type TextValidatorRules = Pick<FieldValidator, 'schema' | 'accepts' | 'expectation' | 'fault'>;

export function textValidator(rules: TextValidatorRules): FieldValidator {
  return { ...rules, parse: identity };
}

export function mapValidator<T, U>(rules: FieldValidator<T>, read: (value: T) => U, type?: string): FieldValidator<U> {
  return { ...rules, parse: text => read(rules.parse(text)), ...(type && { type }) };
}

export function withoutParsing(
  { schema, accepts, expectation, fault }: FieldValidator<unknown>,
  type?: string,
): FieldValidator {
  return { schema, accepts, expectation, ...(fault && { fault }), parse: identity, ...(type && { type }) };
}

interface NamesRules {
  readonly min: number;
  readonly max: number;
  /** A repeated name counts once. */
  readonly isSet: boolean;
  readonly isKnown: (name: string) => boolean;
  readonly expectation: string;
}

/** Comma-separated names. */
export function namesValidator({
  min,
  max,
  isSet,
  isKnown,
  expectation,
}: NamesRules): FieldValidator<readonly string[]> {
  const namesIn = (text: string) => {
    const names = text.split(',').map(name => name.trim());
    return (isSet ? [...new Set(names)] : names).filter(name => name !== '');
  };
  const accepts = (text: string) => {
    const names = namesIn(text);
    return names.length >= min && names.length <= max && names.every(isKnown);
  };
  const fault = (text: string) => (namesIn(text).length > max ? 'too_many' : 'unknown_value');
  return mapValidator(
    textValidator({ schema: { type: 'string' }, accepts, expectation, fault }),
    namesIn,
    'readonly string[]',
  );
}
