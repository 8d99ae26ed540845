import type { Json } from './json.js';

export interface RefusalDetails {
  /** The request's field that is at fault. */
  readonly field?: string;
  /** What the caller can do about it. */
  readonly hint?: string;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number;
  /** Whether the same request can succeed later; by default what the code's status says. */
  readonly retryable?: boolean;
  /** Further members of the answer. */
  readonly more?: { readonly [name: string]: Json };
  /** Further headers of the answer. */
  readonly headers?: { readonly [name: string]: string };
}

/**
 * A rule said no. `code` is stable and listed with its status in `libs/http/codes.ts`; the message is a sentence for
 * a person. Anything else that is thrown is a bug or an outage.
 */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly details: RefusalDetails = {},
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

/** States a rule positively: `rule(job.status === 'open', 'role_closed', 'The role is closed.')`. */
export function rule(holds: boolean, code: string, otherwise: string, details?: RefusalDetails): asserts holds {
  if (!holds) throw new Refusal(code, otherwise, details);
}

/** A 400 that names the field or header at fault; its code is that name in snake case. */
export function fieldRule(holds: boolean, field: string, otherwise: string): asserts holds {
  if (!holds) throw new Refusal(field.toLowerCase().replaceAll('-', '_'), otherwise, { field });
}

/** A store or a chain that could not be reached: nothing is known to be wrong with the request. */
export class Unavailable extends Error {
  constructor(
    readonly what: string,
    options?: { cause?: unknown },
  ) {
    super(`${what} cannot be reached.`, options);
    this.name = 'Unavailable';
  }
}
