import type { ServiceErrorCode } from './error-codes.js';
import type { Json } from './json.js';
import { FIELD_FAULTS_MAX, type FieldFault, type Reason } from './field-faults.js';

export interface RefusalDetails {
  readonly field?: string;
  readonly faults?: readonly FieldFault[];
  readonly hint?: string;
  readonly status?: number;
  readonly retryAfter?: number;
  readonly retryable?: boolean;
  readonly more?: { readonly [name: string]: Json };
  readonly headers?: { readonly [name: string]: string };
}

declare const field: unique symbol;
export type FieldCode = string & { readonly [field]: true };

/** A broken rule, with a sentence for people. Any other thrown error is a defect or an outage. */
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

function mergeFaults(faults: readonly FieldFault[]): FieldFault[] {
  const byField = new Map<string, FieldFault>();
  for (const fault of faults) if (!byField.has(fault.field)) byField.set(fault.field, fault);
  return [...byField.values()].slice(0, FIELD_FAULTS_MAX);
}

export function refuseFields([first, ...more]: readonly FieldFault[]): void {
  if (first) throw new FieldRefusal(first.field, first.error, first.reason, more);
}

/** Adds faults to the refusal of a field. Returns any other error unchanged. */
export function addFaults<E>(error: E, findOthers: () => readonly FieldFault[]): E | Refusal {
  if (!(error instanceof Refusal) || !error.details.faults) return error;
  const [first, ...others] = error.details.faults;
  const more = [...others, ...findOthers()];
  if (error instanceof FieldRefusal)
    return new FieldRefusal(first!.field, first!.error, first!.reason, more, error.details.hint);
  return new Refusal(error.code, error.message, { ...error.details, faults: mergeFaults([first!, ...more]) });
}

export function rule(holds: boolean, code: ServiceErrorCode, message: string, details?: RefusalDetails): asserts holds {
  if (!holds) throw new Refusal(code, message, details);
}

export function fieldRule(holds: boolean, field: string, message: string, reason: Reason): asserts holds {
  if (!holds) throw new FieldRefusal(field, message, reason);
}

export function fieldRules(...rules: readonly (readonly [...Parameters<typeof fieldRule>])[]): void {
  const broken = rules.filter(([holds]) => !holds);
  refuseFields(broken.map(([, field, error, reason]) => ({ field, error, reason })));
}

/** A store or a chain cannot be used right now. The request may be fine. */
export class Unavailable extends Error {
  readonly code: ServiceErrorCode = 'unavailable';

  /** `problem` completes a sentence that begins with `component`. */
  constructor(
    readonly component: string,
    options?: { cause?: unknown },
    problem = 'cannot be reached',
  ) {
    super(`${component} ${problem}.`, options);
    this.name = 'Unavailable';
  }
}

export const nonceUsed = () =>
  new Refusal('nonce_used', 'This nonce has been used. Sign the request again with a new nonce.', { retryAfter: 1 });

export const badToken = () => new Refusal('bad_token', 'The bearer token is unknown, expired or revoked.');
