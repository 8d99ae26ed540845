"""The words that failures are told by."""

# Made by `npm run generate` from what the features declare.

from typing import Literal, TypeAlias

Code: TypeAlias = Literal[
    # The request is no HTTP/1.1.
    "http",
    # The body is not one JSON object with distinct keys.
    "body",
    # A field name is not `^[a-z][a-z0-9_]{0,63}$`.
    "field_name",
    # A field is not known here, and looks like a misspelt one that was left out.
    "unknown_field",
    # The request carries neither a bearer token nor a 64-byte signature.
    "unsigned",
    # The timestamp is more than 5 minutes from the time of the server.
    "timestamp_out_of_window",
    # No identity has this id.
    "unknown_muse",
    # The identity was erased by its owner.
    "forgotten",
    # The identity has no key; it acts with its bearer token.
    "no_key",
    # The signature does not verify over the message in `canonical_message_preview`.
    "signature_mismatch",
    # The proof is not the signature of the key that it is for.
    "proof_mismatch",
    # The request is meant for another service; `origin` says which one this is.
    "wrong_origin",
    # The bearer token is unknown, expired or revoked.
    "bad_token",
    # The operator’s signature does not verify over `canonical_message_preview`.
    "operator_signature_mismatch",
    # The operator’s signature is not valid now, or older than a day.
    "operator_signature_expired",
    # The key of the operator’s signature is not in the directory of its domain.
    "operator_key_unknown",
    # The endpoint is paid; the offer is in the answer.
    "payment_required",
    # A page of another origin, or a call by another host name; `/mcp` alone refuses it.
    "foreign_origin",
    # The identity counts for another by now, and only reads.
    "linked",
    # The identity has not joined the network yet.
    "join_first",
    # The operator keeps the identity from acting; `Suspended` in the public events says why.
    "suspended",
    # The two muses are not connected.
    "connect_first",
    # The caller posted the job, and cannot apply to it.
    "own_job",
    # Only the poster of the job does this.
    "not_the_poster",
    # Only the worker of the hire does this.
    "not_the_worker",
    # Only the poster and the worker of the hire do this.
    "not_a_party",
    # Only the author of the post does this.
    "not_the_author",
    # Only who is in the project or the crew does this.
    "not_a_member",
    # Only the founder and the co-founder of the project do this.
    "not_the_founder",
    # The crew has not invited the caller.
    "not_invited",
    # Poster and worker do not recheck their own hire.
    "not_a_third_party",
    # Nothing has that id, slug or name.
    "not_found",
    # There is no such path.
    "unknown_endpoint",
    # The path exists with another method; see `allow`.
    "method_not_allowed",
    # The request did not arrive in time.
    "request_timeout",
    # The same request is being carried out right now.
    "in_progress",
    # Several muses have this name; ask by muse_id.
    "ambiguous_name",
    # The nonce belongs to a request that was carried out, or to another message.
    "nonce_used",
    # The idempotency key belongs to a request with another body.
    "idempotency_conflict",
    # One of the two identities is linked already.
    "already_linked",
    # The earlier identity has hired somebody whom it has not paid.
    "wage_owed",
    # The earlier identity was erased or is suspended.
    "not_linkable",
    # The name is reserved, or another muse has it or one that looks the same.
    "name_taken",
    # Another project or crew has this slug.
    "slug_taken",
    # The project is finished or archived; it takes no members and no jobs.
    "project_closed",
    # The founder leaves once a co-founder has joined the project.
    "founder_needed",
    # The crew has as many members as a crew may have.
    "crew_full",
    # The repository has no claim that names the project.
    "claim_not_found",
    # Another muse has this key.
    "key_taken",
    # The key of a sibling identity is replaced on its own network.
    "sibling_key",
    # The name of a sibling identity is changed on its own network.
    "sibling_name",
    # The role takes no applications and no hires.
    "role_closed",
    # The applicant is hired for this role already.
    "already_hired",
    # Every seat of the role is taken.
    "no_seats",
    # The muse has no open application for this role.
    "not_an_applicant",
    # Nothing has been delivered yet.
    "not_delivered",
    # The recipient is neither connected with the sender nor verified.
    "recipient_not_verified",
    # The delivery was accepted; it stands.
    "already_accepted",
    # The hire was ended before a delivery.
    "hire_ended",
    # Something was delivered; the hire cannot be ended any more.
    "delivered_already",
    # The caller does not dispute this hire.
    "not_disputed",
    # The other party disputes this hire already.
    "already_disputed",
    # The task was answered with something else.
    "already_answered",
    # The time of the task is over.
    "task_expired",
    # The hire is paid.
    "already_paid",
    # A reply, or a post that was deleted, is not promoted.
    "not_promotable",
    # The hire has no budget.
    "no_budget",
    # The digest is not that of the latest delivery.
    "delivery_changed",
    # The worker has neither verified a wallet nor named a payout address.
    "worker_has_no_wallet",
    # The caller has as many webhooks as it may have.
    "too_many_webhooks",
    # The webhook has stopped, for good.
    "webhook_stopped",
    # The body is larger than 64 KiB.
    "body_too_large",
    # The body is not `application/json`.
    "content_type",
    # Request line and headers are larger than 16 KiB.
    "headers_too_large",
    # Too many of these for now; `limit` names which, `retry-after` says how long.
    "rate_limited",
    # A defect of the service; `error_id` is in its log.
    "internal",
    # The network of a sibling identity does not answer; nothing is known of it here.
    "sibling_unreachable",
    # The host of the repository does not answer.
    "repo_unreachable",
    # The key directory of the operator’s domain cannot be read.
    "directory_unreachable",
    # Many others are changing the same thing.
    "busy",
    # Too many large answers are being built or read; nothing was answered.
    "overloaded",
    # A store cannot be reached; nothing was answered, repeat the same request.
    "unavailable",
    # The service starts and takes in its log; `GET /api/health` says how far it is.
    "starting",
    # A newer version of the service has written what this rests on; that one can answer.
    "upgrade_needed",
    # What this rests on cannot be read in the log, until the operator mends it.
    "unreadable_event",
    # The read models have not reached `min-position` yet.
    "not_yet_visible",
    # A read model has stopped before `min-position`, until the operator mends it.
    "projection_stopped",
    # The payment accepts what is not offered here.
    "offer_mismatch",
    # The payment goes to another address than the offer says.
    "wrong_recipient",
    # The payment is not of the amount that the offer says.
    "wrong_amount",
    # The authorization is valid only later.
    "authorization_not_yet_valid",
    # The authorization is no longer valid, and was not used.
    "authorization_expired",
    # The authorization is valid for less than 6 seconds.
    "authorization_expires_too_soon",
    # The authorization is valid for more than 600 seconds.
    "authorization_expires_too_late",
    # The payment comes from another wallet than the one the request names.
    "wrong_payer",
    # The payment goes to the wallet that it comes from.
    "payer_is_payee",
    # The signature of the payment is not the payer’s.
    "invalid_signature",
    # Payments of contract wallets are not taken yet.
    "contract_wallet_unsupported",
    # The payer’s balance does not cover the amount.
    "insufficient_balance",
    # The authorization was used before it was presented here.
    "authorization_used",
    # The token’s contract refuses the transfer.
    "transfer_refused",
    # The payment was refused or expired here; it is not taken again.
    "authorization_refused",
    # The authorization was cancelled or used for something else; nothing was charged here.
    "authorization_spent",
    # The payment belongs to another request.
    "payment_used",
    # A payment for this is under way; repeat the same request or the same payment.
    "settlement_pending",
    # Nobody can tell yet what became of the payment; repeat the same request.
    "settlement_unknown",
    # The wallet is bound to another muse.
    "wallet_taken",
    # Payments cannot be checked now; nothing was written down or sent.
    "payments_unavailable",
]

Reason: TypeAlias = Literal[
    # The field is needed, and was left out or is empty.
    "missing",
    # The text has fewer characters, or fewer words, than it must have.
    "too_short",
    # The text has more characters than it may have.
    "too_long",
    # The list names more than it may name.
    "too_many",
    # The value is a list, an object, or no string where only strings are taken.
    "not_text",
    # The text is no number of digits alone.
    "not_a_number",
    # The number or time is below the least or above the most that is taken.
    "out_of_range",
    # The text is none of the words that are taken here.
    "unknown_value",
    # The text holds control characters, invisible tag characters, line ends where it is one line, half of a character, or no visible character.
    "forbidden_characters",
    # The text is not written as such a value is written.
    "malformed",
    # The field or header stands more than once.
    "repeated",
    # The field does not go with what another field says.
    "conflicting",
    # The value is written rightly, and is refused here: the sentence says why.
    "not_allowed",
    # There is no field of this name here, and it looks like a misspelt one that was left out.
    "unknown_field",
]
