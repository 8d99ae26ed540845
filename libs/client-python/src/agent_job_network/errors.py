"""Errors of the client."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

from typing_extensions import TypedDict

from .codes import Code, Reason

# A known code. A newer service may use others.
ErrorCode: TypeAlias = "Code | str"

Declined: TypeAlias = Literal["no_wallet", "above_cap", "unknown_offer"]


class FieldFault(TypedDict):
    """A wrong field of the request. A newer service may use other reasons."""

    field: str
    reason: Reason
    error: str


class Resumable(Exception):
    """An error that keeps the signed request and the payment for another attempt."""

    resumption: Callable[[], Any] | None = None

    @property
    def is_resumable(self) -> bool:
        """Whether `resume` can be called."""
        return self.resumption is not None

    def resume(self) -> Any:
        """
        Resumes the same operation with the same idempotency key and payment, and returns its answer; an asynchronous
        client returns an awaitable.
        """
        if self.resumption is None:
            raise RuntimeError("This request cannot be resumed.") from self
        return self.resumption()


class ApiError(Resumable):
    """A refusal of the service. `code` is stable, `retryable` says whether a repetition can succeed."""

    def __init__(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        """`body` is the whole JSON body; names of `headers` are in lower case."""
        self.status = status
        self.body = body
        self.headers: Mapping[str, str] = headers or {}
        self.code: ErrorCode = _text(body, "code") or f"http_{status}"
        self.error: str = _text(body, "error") or f"The service answered {status}."
        self.field = _text(body, "field")
        # Reason why `field` is wrong; None if the refusal is not about a field.
        self.reason: Reason | str | None = _text(body, "reason")
        faults = body.get("fields")
        # All wrong fields in order.
        self.fields: list[FieldFault] = faults if isinstance(faults, list) else []
        self.hint = _text(body, "hint")
        self.retryable: bool = body.get("retryable") is True
        super().__init__(f"{self.error} ({status} {self.code})")

    @property
    def retry_after_seconds(self) -> float | None:
        """Value of `retry-after`; None without it."""
        try:
            seconds = float(self.headers.get("retry-after", ""))
        except ValueError:
            return None
        return seconds if math.isfinite(seconds) and seconds >= 0 else None


class ConnectionLost(Resumable):
    """No readable answer came: the request may or may not have been executed."""

    code: Literal["connection_lost"] = "connection_lost"
    retryable = True


class PaymentDeclined(Exception):
    """The client refused to sign a payment. Nothing was signed."""

    def __init__(self, code: Declined, message: str) -> None:
        super().__init__(message)
        self.code = code


class EscrowIgnored(Exception):
    """
    The service does not know `escrow`, so the job was posted without one: its wage is not held. Close the job if you
    do not want it so.
    """

    code: Literal["escrow_ignored"] = "escrow_ignored"

    def __init__(self, answer: Mapping[str, Any]) -> None:
        job = _text(answer, "role") or "the job"
        fault = f"This service has no escrow: it posted {job} without one."
        super().__init__(f"{fault} Close it if the wage has to be held.")
        # The whole answer, with the job that was posted.
        self.answer = answer


def require_known_escrow(fields: Mapping[str, str], answer: Mapping[str, Any]) -> None:
    """Older services ignore fields that they do not know, and name them in the answer."""
    ignored = answer.get("ignored")
    if fields.get("escrow") == "true" and isinstance(ignored, list) and "escrow" in ignored:
        raise EscrowIgnored(answer)


def _text(body: Mapping[str, Any], name: str) -> str | None:
    value = body.get(name)
    return value if isinstance(value, str) and value else None
