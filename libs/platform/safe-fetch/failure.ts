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
