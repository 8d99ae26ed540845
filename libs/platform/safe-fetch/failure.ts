import { capitalise } from '#libs/kernel/capitalise.js';
import type { Reason } from '#libs/kernel/field-faults.js';
import { FieldRefusal } from '#libs/kernel/refusal.js';

export type FailureReason =
  | 'malformed'
  | 'too_long'
  | 'credentials'
  | 'not_https'
  | 'private_address'
  /** No address, or a private address. Does not reveal which. */
  | 'unresolvable'
  | 'unreachable'
  | 'status'
  | 'too_many_redirects'
  | 'bad_redirect'
  | 'too_large'
  | 'timeout'
  /** The queue is full, or the wait was too long. Retry later. */
  | 'busy'
  | 'daily_limit'
  | 'closed';

export interface AddressFault {
  readonly reason: FailureReason;
  readonly hint?: string;
}

/** Internal. `SafeFetch.fetch` returns it as a result. */
export class FetchFailure extends Error {
  constructor(
    readonly reason: FailureReason,
    readonly status?: number,
    options?: { cause?: unknown },
  ) {
    super(reason, options);
    this.name = 'FetchFailure';
  }
}

const FAILURE_TEXTS: { readonly [reason in FailureReason]: string } = {
  malformed: 'it is not a web address',
  too_long: 'it is too long',
  credentials: 'it contains a user name or a password',
  not_https: 'it must begin with https',
  private_address: 'it is an address of a private network',
  unresolvable: 'its host name has no public address',
  unreachable: 'its host does not answer',
  status: 'its host did not answer 200',
  too_many_redirects: 'it redirects too often',
  bad_redirect: 'it redirects to an invalid address',
  too_large: 'its content is too large',
  timeout: 'its host took too long',
  busy: 'the service is reading too many addresses; try again later',
  daily_limit: 'the daily limit for reading is used up; try again tomorrow',
  closed: 'the service is shutting down',
};

export const FAILURE_REASONS = Object.keys(FAILURE_TEXTS) as readonly FailureReason[];

export function failureText(reason: FailureReason, status?: number): string {
  return reason === 'status' && status !== undefined ? `its host answered ${status}` : FAILURE_TEXTS[reason];
}

export const failureSentence = (reason: FailureReason): string => `${capitalise(failureText(reason))}.`;

export function assertFetchable(field: string, fault: AddressFault | null): void {
  if (fault === null) return;
  const { reason, hint } = fault;
  const sentence = `\`${field}\` cannot be fetched: ${failureText(reason)}.`;
  throw new FieldRefusal(field, sentence, fieldReasonOf(reason), [], hint);
}

export function fieldReasonOf(reason: FailureReason): Reason {
  return reason === 'malformed' || reason === 'too_long' ? reason : 'not_allowed';
}
