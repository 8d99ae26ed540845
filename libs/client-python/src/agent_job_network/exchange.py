"""One operation from the first request to the answer."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from .errors import ApiError, ConnectionLost, require_known_escrow
from .flow import Flow, Outgoing, Reply, Wait
from .keys import Credentials, Stamp, random_text
from .payer import Payer, SignedPayment
from .retry import RetryBounds, is_repeatable, wait_before
from .seen_positions import SeenPositions
from .service_clock import ServiceClock
from .wire import WireFields

# `read`: GET of the read models. `live`: GET of current state. `open`: POST without a key. `ask`: signed question to
# the read models.
Kind: TypeAlias = Literal["read", "live", "ask", "open", "write"]

# The service accepts timestamps for 5 minutes; a message is signed again before that.
_SIGNATURE_AGE_MS_MAX = 4 * 60 * 1000
# A second payment is allowed after the service said that the first can never settle.
_PAYMENTS_MAX = 2

Failure: TypeAlias = "ApiError | ConnectionLost"


@dataclass(frozen=True)
class Call:
    """One unsigned request."""

    kind: Kind
    path: str
    fields: WireFields


@dataclass(frozen=True)
class ExchangeDependencies:
    credentials: Credentials
    # Address of the service that requests are meant for.
    origin: str
    payer: Payer
    clock: ServiceClock
    seen: SeenPositions
    bounds: RetryBounds
    # Runs the flow of a resumed operation.
    run: Callable[[Flow[Any]], Any]


class Exchange:
    """
    Signs once, repeats the same bytes while the outcome is unknown, and never pays twice for the same purchase.
    """

    def __init__(self, call: Call, dependencies: ExchangeDependencies) -> None:
        self._call = call
        self._dependencies = dependencies
        self._idempotency_key = random_text()
        self._stamp: Stamp | None = None
        self._is_stale = True
        self._body = b""
        self._payment: SignedPayment | None = None
        self._payments_signed = 0
        self._corrected = False

    def steps(self) -> Flow[dict[str, Any]]:
        """Returns the body. Raises `ApiError`, `ConnectionLost`, `PaymentDeclined` or `EscrowIgnored`."""
        started_at = self._dependencies.clock.local_now()
        attempts = 0
        while True:
            attempts += 1
            failure = yield from self._attempt()
            if isinstance(failure, dict):
                require_known_escrow(self._call.fields, failure)
                return failure
            if self._recover(failure):
                continue
            elapsed_seconds = (self._dependencies.clock.local_now() - started_at) / 1000
            bounds = self._dependencies.bounds
            wait = wait_before(failure, attempts, elapsed_seconds, bounds) if is_repeatable(failure) else None
            if wait is None:
                raise self._final_error(failure)
            yield Wait(wait)

    def _attempt(self) -> Flow[dict[str, Any] | Failure]:
        reply: Reply | ConnectionLost = yield self._outgoing()
        if isinstance(reply, ConnectionLost):
            return reply
        self._dependencies.seen.note(reply.headers.get("event-position"))
        return reply.body if reply.status == 200 else ApiError(reply.status, reply.body, reply.headers)

    def _outgoing(self) -> Outgoing:
        kind, path = self._call.kind, self._call.path
        headers: dict[str, str] = {}
        if kind in ("read", "ask") and self._dependencies.seen.latest is not None:
            headers["min-position"] = self._dependencies.seen.latest
        if kind in ("read", "live"):
            return Outgoing("GET", path, headers)
        headers["content-type"] = "application/json"
        if kind != "open":
            headers.update(self._dependencies.credentials.headers)
        headers["idempotency-key"] = self._idempotency_key
        if self._payment is not None:
            headers["payment-signature"] = self._payment.header
        return Outgoing("POST", path, headers, self._signed_body())

    def _signed_body(self) -> bytes:
        """Returns the same bytes while their timestamp is valid."""
        now = self._dependencies.clock.now()
        if self._stamp and not self._is_stale and abs(now - self._stamp.timestamp) <= _SIGNATURE_AGE_MS_MAX:
            return self._body
        self._stamp = Stamp(now, self._next_nonce())
        self._is_stale = False
        fields = self._call.fields
        if self._call.kind != "open":
            endpoint = self._call.path.rpartition("/")[2]
            addressed = {**fields, "origin": self._dependencies.origin}
            fields = self._dependencies.credentials.fields(endpoint, addressed, self._stamp)
        self._body = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
        return self._body

    def _next_nonce(self) -> str:
        """
        A message that is signed again keeps its nonce, so that at most one of the two is executed. A payment or, for
        a question, the idempotency key links the two as well, so those get a new nonce.
        """
        is_linked_otherwise = self._payment is not None or self._call.kind == "ask"
        return self._stamp.nonce if self._stamp and not is_linked_otherwise else random_text()

    def _recover(self, failure: Failure) -> bool:
        """Returns whether the cause was removed, so that the request can be repeated at once."""
        if isinstance(failure, ConnectionLost):
            return False
        if failure.code == "timestamp_out_of_window":
            return self._correct_clock(failure)
        if failure.code == "min_position":
            return self._forget_position()
        return failure.status == 402 and self._pay(failure)

    def _forget_position(self) -> bool:
        """The log was restored from a backup or replaced, and does not reach the stored position."""
        had_position = self._dependencies.seen.latest is not None
        self._dependencies.seen.forget()
        return had_position

    def _correct_clock(self, failure: ApiError) -> bool:
        server_time = failure.body.get("server_time")
        if self._corrected or isinstance(server_time, bool) or not isinstance(server_time, (int, float)):
            return False
        if not self._dependencies.clock.learn(server_time):
            return False
        # The service refused this timestamp, so replace it even if the corrected clock would accept it.
        self._corrected = self._is_stale = True
        return True

    def _pay(self, failure: ApiError) -> bool:
        if self._payment is not None:
            if not self._is_final(failure, self._payment):
                return False
            self._payment = None
        if self._payments_signed >= _PAYMENTS_MAX:
            return False
        self._payment = self._dependencies.payer.pay(failure.headers.get("payment-required"))
        self._payments_signed += 1
        return True

    def _is_final(self, failure: ApiError, payment: SignedPayment) -> bool:
        """
        Whether the authorization can never settle. A failed check does not prove that, and a spent authorization has
        moved money.
        """
        if failure.code == "authorization_spent":
            return False
        if failure.code == "authorization_refused" or _settlement_failed(failure.headers.get("payment-response")):
            return True
        return failure.code == "authorization_expired" and self._dependencies.clock.local_now() > payment.expired_at

    def _final_error(self, failure: Failure) -> Failure:
        """Adds `resume`, which continues with the same key, nonce and payment."""
        if isinstance(failure, ApiError) and failure.code == "not_yet_visible":
            self._dependencies.seen.forget()
        if is_repeatable(failure):
            failure.resumption = lambda: self._dependencies.run(self.steps())
        return failure


def _settlement_failed(header: str | None) -> bool:
    try:
        response = json.loads(b64decode(header or ""))
    except (ValueError, RecursionError):
        return False
    return isinstance(response, dict) and response.get("success") is False
