import type { Code } from './codes.js';
import type { Json } from './json.js';

export interface RefusalDetails {
  /** The request's field that is at fault. */
  readonly field?: string;
  /** What the caller can do about it. */
  readonly hint?: string;
  /** Where it is another than the code's own. */
  readonly status?: number;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number;
  /** Whether the same request can succeed later; by default what the code's status says. */
  readonly retryable?: boolean;
  /** Further members of the answer. */
  readonly more?: { readonly [name: string]: Json };
  /** Further headers of the answer. */
  readonly headers?: { readonly [name: string]: string };
}

declare const field: unique symbol;
/** The name of a field in snake case: the code of a 400 that is about this field. Made by `FieldRefusal` alone. */
export type FieldCode = string & { readonly [field]: true };

/** A rule said no; the message is a sentence for a person. Anything else that is thrown is a bug or an outage. */
export class Refusal extends Error {
  constructor(
    readonly code: Code | FieldCode,
    message: string,
    readonly details: RefusalDetails = {},
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

/** A 400 that names the field or header at fault; its code is that name in snake case. */
export class FieldRefusal extends Refusal {
  constructor(field: string, message: string) {
    super(field.toLowerCase().replaceAll('-', '_') as FieldCode, message, { field });
  }
}

/** States a rule positively: `rule(job.status === 'open', 'role_closed', 'The role is closed.')`. */
export function rule(holds: boolean, code: Code, otherwise: string, details?: RefusalDetails): asserts holds {
  if (!holds) throw new Refusal(code, otherwise, details);
}

/** States a rule about one field. */
export function fieldRule(holds: boolean, field: string, otherwise: string): asserts holds {
  if (!holds) throw new FieldRefusal(field, otherwise);
}

/** A store or a chain that could not be reached: nothing is known to be wrong with the request. */
export class Unavailable extends Error {
  readonly code: Code = 'unavailable';

  constructor(
    readonly what: string,
    options?: { cause?: unknown },
  ) {
    super(`${what} cannot be reached.`, options);
    this.name = 'Unavailable';
  }
}
