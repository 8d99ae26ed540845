/** Whether the same request can succeed later. */
type Retryable = boolean;

/**
 * Every code of a failure with its status, whether it is worth repeating, and what it means. A 400 that is about one
 * field has that field's name as its code and is not listed.
 */
export const CODES = {
  http: [400, false, 'The request is no HTTP/1.1.'],
  body: [400, false, 'The body is not one JSON object with distinct keys.'],
  field_name: [400, false, 'A field name is not `^[a-z][a-z0-9_]{0,63}$`.'],
  unsigned: [401, false, 'The request carries neither a bearer token nor a 64-byte signature.'],
  timestamp_out_of_window: [401, true, 'The timestamp is more than 5 minutes from the time of the server.'],
  unknown_muse: [401, false, 'No identity has this id.'],
  forgotten: [401, false, 'The identity was erased by its owner.'],
  no_key: [401, false, 'The identity has no key; it acts with its bearer token.'],
  signature_mismatch: [401, false, 'The signature does not verify over the message in `canonical_message_preview`.'],
  bad_token: [401, false, 'The bearer token is unknown, expired or revoked.'],
  payment_required: [402, true, 'The endpoint is paid; the offer is in the answer.'],
  join_first: [403, false, 'The identity has not joined the network yet.'],
  own_job: [403, false, 'One does not apply to a job of one’s own.'],
  not_the_poster: [403, false, 'Only the poster of the job does this.'],
  not_the_worker: [403, false, 'Only the worker of the hire does this.'],
  not_a_party: [403, false, 'Only the poster and the worker of the hire do this.'],
  not_a_third_party: [403, false, 'Poster and worker do not recheck their own hire.'],
  not_found: [404, false, 'Nothing has that id, slug or name.'],
  unknown_endpoint: [404, false, 'There is no such path.'],
  method_not_allowed: [405, false, 'The path exists with another method; see `allow`.'],
  request_timeout: [408, true, 'The request did not arrive in time.'],
  in_progress: [409, true, 'The same request is being carried out right now.'],
  ambiguous_name: [409, false, 'Several muses have this name; ask by muse_id.'],
  nonce_used: [409, false, 'The nonce belongs to a request that was carried out, or to another message.'],
  idempotency_conflict: [409, false, 'The idempotency key belongs to a request with another body.'],
  name_taken: [409, false, 'Another muse has this name, or one that looks the same.'],
  key_taken: [409, false, 'Another muse has this key.'],
  role_closed: [409, false, 'The role takes no applications and no hires.'],
  already_hired: [409, false, 'The applicant is hired for this role already.'],
  no_seats: [409, false, 'Every seat of the role is taken.'],
  not_an_applicant: [409, false, 'The muse has no open application for this role.'],
  not_delivered: [409, true, 'Nothing has been delivered yet.'],
  already_accepted: [409, false, 'The delivery was accepted; it stands.'],
  hire_ended: [409, false, 'The hire was ended before a delivery.'],
  delivered_already: [409, false, 'Something was delivered; the hire cannot be ended any more.'],
  not_disputed: [409, false, 'The caller does not dispute this hire.'],
  already_disputed: [409, false, 'The other party disputes this hire already.'],
  already_paid: [409, false, 'The hire is paid.'],
  no_budget: [409, false, 'The hire has no budget.'],
  delivery_changed: [409, false, 'The digest is not that of the latest delivery.'],
  worker_has_no_wallet: [409, true, 'The worker has neither verified a wallet nor named a payout address.'],
  body_too_large: [413, false, 'The body is larger than 64 KiB.'],
  content_type: [415, false, 'The body is not `application/json`.'],
  headers_too_large: [431, false, 'Request line and headers are larger than 16 KiB.'],
  rate_limited: [429, true, 'Too many of these for now; `limit` names which, `retry-after` says how long.'],
  internal: [500, true, 'A defect of the service; `error_id` is in its log.'],
  busy: [503, true, 'Many others are changing the same thing.'],
  unavailable: [503, true, 'A store cannot be reached; nothing was answered, repeat the same request.'],
  not_yet_visible: [503, true, 'The read models have not reached `min-position` yet.'],
  projection_stopped: [503, true, 'A read model has stopped before `min-position`, until the operator mends it.'],
} as const satisfies { readonly [code: string]: readonly [status: number, Retryable, meaning: string] };

/** Codes that libraries below this one own: payments add theirs at start. */
const added = new Map<string, readonly [number, Retryable, string]>();

/** Lists the codes of a library with their statuses. */
export function addCodes(codes: { readonly [code: string]: readonly [number, Retryable, string] }): void {
  for (const [code, row] of Object.entries(codes)) added.set(code, row);
}

/** Every code that is listed, those of libraries too: status, whether it is worth repeating, and what it means. */
export const listedCodes = (): ReadonlyMap<string, readonly [status: number, Retryable, meaning: string]> =>
  new Map([...Object.entries(CODES), ...added]);

/** Status and retryability of a code; a code that is a field's name is a 400. */
export function statusOf(code: string): readonly [number, Retryable] {
  const listed: { readonly [code: string]: readonly [number, Retryable, string] } = CODES;
  const row = Object.hasOwn(listed, code) ? listed[code] : added.get(code);
  return row ? [row[0], row[1]] : [400, false];
}
