import type { JsonObject } from '#libs/kernel/json.js';
import type { Reason } from '#libs/kernel/field-faults.js';

/**
 * What a field of a request may hold. Requests carry text; a check says which text is right, what it says as a value,
 * and the JSON Schema (2020-12) that the API description shows, so that the three cannot disagree.
 */
export interface FieldValidator<T = string> {
  /** Of the text. */
  readonly schema: JsonObject;
  /** Whether a text, which is never empty, is right. */
  readonly accepts: (text: string) => boolean;
  /** Completes the sentence "<field> must be ...". */
  readonly expectation: string;
  /** Locates the fault of a structured text: its path within the field, and what that part must be. */
  readonly locateFault?: (text: string) => { readonly at: string; readonly mustBe: string };
  /** What is wrong with a text that is not right; `malformed` without it. */
  readonly fault?: (text: string) => Reason;
  /** Whether the endpoint drops list entries without a visible character instead of refusing the request. */
  readonly dropsInvisible?: boolean;
  /** How a program writes the value, in TypeScript, where that is no text. */
  readonly type?: string;
  /** The value of a text that was right when it came; never throws for one that was right under older rules. */
  readonly parse: (text: string) => T;
}

const identity = (text: string) => text;

type TextValidatorRules = Pick<FieldValidator, 'schema' | 'accepts' | 'expectation' | 'fault'>;

/** A check of text that is kept as it came. */
export function textValidator(rules: TextValidatorRules): FieldValidator {
  return { ...rules, parse: identity };
}

/** The same text, as another value, which a program writes as `type` where it is no text. */
export function mapValidator<T, U>(rules: FieldValidator<T>, read: (value: T) => U, type?: string): FieldValidator<U> {
  return { ...rules, parse: text => read(rules.parse(text)), ...(type && { type }) };
}

/** The same check of a text that is kept as it came, and that a program writes as `type` where it is no text. */
export function withoutParsing(
  { schema, accepts, expectation, fault }: FieldValidator<unknown>,
  type?: string,
): FieldValidator {
  return { schema, accepts, expectation, ...(fault && { fault }), parse: identity, ...(type && { type }) };
}
