/** Why something was not fetched. */
export type FailureReason =
  /** Refused by looking at the address alone. */
  | 'malformed'
  | 'too_long'
  | 'credentials'
  | 'not_https'
  /** A literal address that strangers may not make us connect to. */
  | 'private_address'
  /** The name has no address, or one that strangers may not make us connect to: which of it is told nobody. */
  | 'unresolvable'
  /** No connection, no TLS, or an answer that is no HTTP. */
  | 'unreachable'
  /** Another status than 200. */
  | 'status'
  | 'too_many_redirects'
  /** A redirect without an address to go to. */
  | 'bad_redirect'
  | 'too_large'
  | 'timeout'
  /** Too many wait already, or it waited too long: later may be better. */
  | 'busy'
  /** The day's bytes are used up, of all or on one's account. */
  | 'daily_limit'
  /** The service is shutting down. */
  | 'closed';

/** Why the service may not fetch an address. */
export interface AddressFault {
  readonly reason: FailureReason;
  /** The setting that would allow the address, on a development machine. */
  readonly hint?: string;
}

/** Thrown inside this folder only; `SafeFetch.fetch` answers it. */
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
