"""What a call can end with besides an answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

from typing_extensions import TypedDict

from .codes import Code, Reason

# A code that the service is known to answer with; a newer one may answer with others.
ErrorCode: TypeAlias = "Code | str"

# Why this client does not pay: it has no wallet, it may not spend that much, or the offer is for nothing it knows.
Declined: TypeAlias = Literal["no_wallet", "above_cap", "unknown_offer"]


class FieldFault(TypedDict):
    """What is wrong with one field, named as the request names it. A newer service may say other reasons."""

    field: str
    reason: Reason
    error: str


class Resumable(Exception):
    """A call that was given up for now. It keeps the signed request and the payment, to be sent again."""

    resumption: Callable[[], Any] | None = None

    @property
    def is_resumable(self) -> bool:
        """Whether repeating makes sense, so that `resume` can be called."""
        return self.resumption is not None

    def resume(self) -> Any:
        """Goes on with the very same operation, same idempotency key, same payment, and answers what it answers."""
        if self.resumption is None:
            raise RuntimeError("This request is not worth repeating.") from self
        return self.resumption()


class ApiError(Resumable):
    """The service refused. `code` is stable, `error` is a sentence, `retryable` says whether repeating can succeed."""

    def __init__(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        """`body` is the whole answer; the names of `headers` are in lower case."""
        self.status = status
        self.body = body
        self.headers: Mapping[str, str] = headers or {}
        self.code: ErrorCode = _text(body, "code") or f"http_{status}"
        self.error: str = _text(body, "error") or f"The service answered {status}."
        self.field = _text(body, "field")
        # What is wrong with `field`; None where the refusal is about no field.
        self.reason: Reason | str | None = _text(body, "reason")
        faults = body.get("fields")
        # Every field that is wrong, the first one first.
        self.fields: list[FieldFault] = faults if isinstance(faults, list) else []
        self.hint = _text(body, "hint")
        self.retryable: bool = body.get("retryable") is True
        super().__init__(f"{self.error} ({status} {self.code})")

    @property
    def retry_after_seconds(self) -> float | None:
        """What `retry-after` says; None where it says nothing."""
        try:
            seconds = float(self.headers.get("retry-after", ""))
        except ValueError:
            return None
        return seconds if math.isfinite(seconds) and seconds >= 0 else None


class ConnectionLost(Resumable):
    """No answer came, or none that could be read: the request may have been carried out or not."""

    code: Literal["connection_lost"] = "connection_lost"
    retryable = True


class PaymentDeclined(Exception):
    """The client itself refused to sign a payment. Nothing was signed."""

    def __init__(self, code: Declined, message: str) -> None:
        super().__init__(message)
        self.code = code


def _text(body: Mapping[str, Any], name: str) -> str | None:
    value = body.get(name)
    return value if isinstance(value, str) and value else None
