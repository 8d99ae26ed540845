import type { ServiceErrorCode } from './error-codes.js';
import type { Json } from './json.js';
import { FIELD_FAULTS_MAX, type FieldFault, type Reason } from './field-faults.js';

export interface RefusalDetails {
  /** The request's field that is at fault. */
  readonly field?: string;
  /** Every field that is known to be wrong; the first is the one that the refusal is about. */
  readonly faults?: readonly FieldFault[];
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
    readonly code: ServiceErrorCode | FieldCode,
    message: string,
    readonly details: RefusalDetails = {},
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

/** A 400 that names the field or header at fault; its code is that name in snake case. */
export class FieldRefusal extends Refusal {
  constructor(field: string, message: string, reason: Reason, more: readonly FieldFault[] = [], hint?: string) {
    const faults = mergeFaults([{ field, reason, error: message }, ...more]);
    super(field.toLowerCase().replaceAll('-', '_') as FieldCode, message, {
      field,
      faults,
      ...(hint !== undefined && { hint }),
    });
  }
}

/** What is wrong with fields, each told once, as it was first found. */
function mergeFaults(faults: readonly FieldFault[]): FieldFault[] {
  const first = new Map<string, FieldFault>();
  for (const fault of faults) if (!first.has(fault.field)) first.set(fault.field, fault);
  return [...first.values()].slice(0, FIELD_FAULTS_MAX);
}

/** Refuses by the first of several wrong fields, and names all of them; goes on where there is none. */
export function refuseFields([first, ...more]: readonly FieldFault[]): void {
  if (first) throw new FieldRefusal(first.field, first.error, first.reason, more);
}

/** A refusal of a field with whatever else is wrong; any other error as it is. */
export function addFaults<E>(error: E, further: () => readonly FieldFault[]): E | Refusal {
  if (!(error instanceof Refusal) || !error.details.faults) return error;
  const [first, ...others] = error.details.faults;
  const more = [...others, ...further()];
  if (error instanceof FieldRefusal)
    return new FieldRefusal(first!.field, first!.error, first!.reason, more, error.details.hint);
  return new Refusal(error.code, error.message, { ...error.details, faults: mergeFaults([first!, ...more]) });
}

/** States a rule positively: `rule(job.status === 'open', 'role_closed', 'The role is closed.')`. */
export function rule(
  holds: boolean,
  code: ServiceErrorCode,
  otherwise: string,
  details?: RefusalDetails,
): asserts holds {
  if (!holds) throw new Refusal(code, otherwise, details);
}

/** States a rule about one field; the reason is what is wrong with it where the rule does not hold. */
export function fieldRule(holds: boolean, field: string, otherwise: string, reason: Reason): asserts holds {
  if (!holds) throw new FieldRefusal(field, otherwise, reason);
}

/** States several rules about fields, and names all that do not hold. */
export function fieldRules(...rules: readonly (readonly [...Parameters<typeof fieldRule>])[]): void {
  const broken = rules.filter(([holds]) => !holds);
  refuseFields(broken.map(([, field, error, reason]) => ({ field, error, reason })));
}

/** A store or a chain that cannot be used right now: nothing is known to be wrong with the request. */
export class Unavailable extends Error {
  readonly code: ServiceErrorCode = 'unavailable';

  /** `problem` completes the sentence that begins with `what`. */
  constructor(
    readonly component: string,
    options?: { cause?: unknown },
    problem = 'cannot be reached',
  ) {
    super(`${component} ${problem}.`, options);
    this.name = 'Unavailable';
  }
}
