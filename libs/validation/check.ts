import type { JsonObject } from '#libs/kernel/json.js';
import type { Reason } from '#libs/kernel/reasons.js';

/**
 * What a field of a request may hold. Requests carry text; a check says which text is right, what it says as a value,
 * and the JSON Schema (2020-12) that the API description shows, so that the three cannot disagree.
 */
export interface Check<T = string> {
  /** Of the text. */
  readonly schema: JsonObject;
  /** Whether a text, which is never empty, is right. */
  readonly holds: (text: string) => boolean;
  /** Completes the sentence "<field> must be ...". */
  readonly mustBe: string;
  /** Locates the fault of a structured text: its path within the field, and what that part must be. */
  readonly problem?: (text: string) => { readonly at: string; readonly mustBe: string };
  /** What is wrong with a text that is not right; `malformed` without it. */
  readonly fault?: (text: string) => Reason;
  /** Whether the endpoint drops list entries without a visible character instead of refusing the request. */
  readonly dropsInvisible?: boolean;
  /** How a program writes the value, in TypeScript, where that is no text. */
  readonly type?: string;
  /** The value of a text that was right when it came; never throws for one that was right under older rules. */
  readonly read: (text: string) => T;
}

const asItIs = (text: string) => text;

type TextCheck = Pick<Check, 'schema' | 'holds' | 'mustBe' | 'fault'>;

/** A check of text that is kept as it came. */
export function check(rules: TextCheck): Check {
  return { ...rules, read: asItIs };
}

/** The same text, as another value, which a program writes as `type` where it is no text. */
export function readAs<T, U>(rules: Check<T>, read: (value: T) => U, type?: string): Check<U> {
  return { ...rules, read: text => read(rules.read(text)), ...(type && { type }) };
}

/** The same check of a text that is kept as it came, and that a program writes as `type` where it is no text. */
export function asSent({ schema, holds, mustBe, fault }: Check<unknown>, type?: string): Check {
  return { schema, holds, mustBe, ...(fault && { fault }), read: asItIs, ...(type && { type }) };
}
