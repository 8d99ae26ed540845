import { type TSchema, type TString, Type } from 'typebox';
import type { JsonObject } from '#libs/kernel/json.js';
import { constraint, type Constraint } from './constraint.js';

/** Text of a request field: its rules, parsed value and JSON Schema (2020-12). */
export interface RequestValue<T = string> {
  readonly schema: JsonObject;
  /** A refusal names the reason of the first one that does not hold. */
  readonly rules: readonly Constraint[];
  /** Completes the sentence "<field> must be ...". */
  readonly mustBe: string;
  /** Locates the fault in a structured text: the path within the field, and a correction. */
  readonly locateFault?: (text: string) => { readonly at: string; readonly mustBe: string };
  /** Drops list entries without a visible character instead of refusing the request. */
  readonly dropsInvisible?: boolean;
  /** TypeScript type of the value if it is not a string. */
  readonly type?: string;
  /** Expects a text that was valid once. Must not throw if the rules have become stricter. */
  readonly parse: (text: string) => T;
}

/** A value that requests, events, documents and answers have in common. */
export interface Value<T = string, S extends TSchema = TString> extends RequestValue<T> {
  /** Type in events and documents. */
  readonly stored: S;
  /** As `stored`, for the description of answers: with an example and a meaning. */
  readonly shown: S;
}

export const findBrokenRule = ({ rules }: RequestValue<unknown>, text: string): Constraint | undefined =>
  rules.find(({ holds }) => !holds(text));
export const accepts = (value: RequestValue<unknown>, text: string): boolean => !findBrokenRule(value, text);

const identity = (text: string) => text;

type TextRules = Pick<RequestValue, 'schema' | 'rules' | 'mustBe'>;

export const textValue = (rules: TextRules, stored: TString = Type.String()): Value => ({
  ...rules,
  parse: identity,
  stored,
  shown: stored,
});

/** The value that `read` returns; `type` is its TypeScript type. */
export const parsedValue = <T, U, S extends TSchema>(
  value: Value<T, TSchema>,
  read: (value: T) => U,
  stored: S,
  type?: string,
): Value<U, S> => ({ ...value, parse: text => read(value.parse(text)), stored, shown: stored, ...(type && { type }) });

export const mappedText = <T extends string = string>(value: Value, read: (text: string) => T): Value<T> =>
  parsedValue(value, read, value.stored);

/** The text as sent. */
export const unparsed = ({ schema, rules, mustBe }: RequestValue<unknown>, type?: string): Value => ({
  ...textValue({ schema, rules, mustBe }),
  ...(type && { type }),
});

/** Keywords of a schema for answers. */
export const described = (example: unknown, meaning?: string) => ({
  examples: [example],
  ...(meaning && { description: meaning }),
});

/** With an example and a meaning for answers. */
export function shownAs<V extends Value<unknown, TSchema>>(value: V, example: unknown, meaning?: string): V {
  return { ...value, shown: { ...value.stored, ...described(example, meaning) } };
}

interface NamesRules {
  readonly min: number;
  readonly max: number;
  /** A repeated name counts once. */
  readonly isSet: boolean;
  readonly isKnown: (name: string) => boolean;
  readonly mustBe: string;
}

/** Comma-separated names. */
export function namesValue({ min, max, isSet, isKnown, mustBe }: NamesRules) {
  const namesIn = (text: string): readonly string[] => {
    const names = text.split(',').map(name => name.trim());
    return (isSet ? [...new Set(names)] : names).filter(name => name !== '');
  };
  const rules = [
    constraint('isAtMost', 'too_many', text => namesIn(text).length <= max),
    constraint('isKnown', 'unknown_value', text => namesIn(text).length >= min && namesIn(text).every(isKnown)),
  ];
  const text = textValue({ schema: { type: 'string' }, rules, mustBe });
  return parsedValue(text, namesIn, Type.Array(Type.String()), 'readonly string[]');
}
