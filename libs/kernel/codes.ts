/** What a code of a failure says: its HTTP status, whether the same request can succeed later, and what it means. */
type Row = readonly [status: number, retryable: boolean, meaning: string];
type Rows = { readonly [code: string]: Row };

/** What a payment can be refused for, and what a request is told whose payment is not settled. */
export const PAYMENT_CODES = {
  offer_mismatch: [402, true, 'The payment accepts what is not offered here.'],
  wrong_recipient: [402, true, 'The payment goes to another address than the offer says.'],
  wrong_amount: [402, true, 'The payment is not of the amount that the offer says.'],
  authorization_not_yet_valid: [402, true, 'The authorization is valid only later.'],
  authorization_expired: [402, true, 'The authorization is no longer valid, and was not used.'],
  authorization_expires_too_soon: [402, true, 'The authorization is valid for less than 6 seconds.'],
  authorization_expires_too_late: [402, true, 'The authorization is valid for more than 600 seconds.'],
  wrong_payer: [402, true, 'The payment comes from another wallet than the one the request names.'],
  payer_is_payee: [402, true, 'The payment goes to the wallet that it comes from.'],
  invalid_signature: [402, true, 'The signature of the payment is not the payer’s.'],
  contract_wallet_unsupported: [402, true, 'Payments of contract wallets are not taken yet.'],
  insufficient_balance: [402, true, 'The payer’s balance does not cover the amount.'],
  authorization_used: [402, true, 'The authorization was used before it was presented here.'],
  transfer_refused: [402, true, 'The token’s contract refuses the transfer.'],
  authorization_refused: [402, true, 'The payment was refused or expired here; it is not taken again.'],
  authorization_spent: [
    402,
    true,
    'The authorization was cancelled or used for something else; nothing was charged here.',
  ],
  payment_used: [409, false, 'The payment belongs to another request.'],
  settlement_pending: [409, true, 'A payment for this is under way; repeat the same request or the same payment.'],
  settlement_unknown: [409, true, 'Nobody can tell yet what became of the payment; repeat the same request.'],
  wallet_taken: [409, false, 'The wallet is bound to another muse.'],
  payments_unavailable: [503, true, 'Payments cannot be checked now; nothing was written down or sent.'],
} as const satisfies Rows;

/**
 * Every code of a failure. A 400 that is about one field has that field's name as its code and is not listed:
 * `FieldRefusal`.
 */
export const CODES = {
  http: [400, false, 'The request is no HTTP/1.1.'],
  body: [400, false, 'The body is not one JSON object with distinct keys.'],
  field_name: [400, false, 'A field name is not `^[a-z][a-z0-9_]{0,63}$`.'],
  unknown_field: [400, false, 'A field is not known here, and looks like a misspelt one that was left out.'],
  unsigned: [401, false, 'The request carries neither a bearer token nor a 64-byte signature.'],
  timestamp_out_of_window: [401, true, 'The timestamp is more than 5 minutes from the time of the server.'],
  unknown_muse: [401, false, 'No identity has this id.'],
  forgotten: [401, false, 'The identity was erased by its owner.'],
  no_key: [401, false, 'The identity has no key; it acts with its bearer token.'],
  signature_mismatch: [401, false, 'The signature does not verify over the message in `canonical_message_preview`.'],
  wrong_origin: [401, false, 'The request is meant for another service; `origin` says which one this is.'],
  bad_token: [401, false, 'The bearer token is unknown, expired or revoked.'],
  payment_required: [402, true, 'The endpoint is paid; the offer is in the answer.'],
  join_first: [403, false, 'The identity has not joined the network yet.'],
  connect_first: [403, false, 'The two muses are not connected.'],
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
  upgrade_needed: [503, true, 'A newer version of the service has written what this rests on; that one can answer.'],
  unreadable_event: [503, true, 'What this rests on cannot be read in the log, until the operator mends it.'],
  not_yet_visible: [503, true, 'The read models have not reached `min-position` yet.'],
  projection_stopped: [503, true, 'A read model has stopped before `min-position`, until the operator mends it.'],
  ...PAYMENT_CODES,
} as const satisfies Rows;

export type Code = keyof typeof CODES;

export const isCode = (text: string): text is Code => Object.hasOwn(CODES, text);
