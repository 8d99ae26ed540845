"""Rules for repeating a request."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import ApiError, ConnectionLost

_RETRY_STATUSES = frozenset({429, 503})
# Codes while a request runs or its payment is unconfirmed.
_PENDING_CODES = frozenset({"in_progress", "settlement_pending", "settlement_unknown"})


@dataclass(frozen=True)
class RetryBounds:
    # Attempts per operation, including the first.
    attempts_max: int = 10
    # Maximum duration of one operation with all repetitions.
    total_seconds: float = 120
    # First wait if the service names none; doubles each time up to `backoff_seconds_max`.
    backoff_seconds: float = 0.25
    backoff_seconds_max: float = 5


def is_repeatable(failure: ApiError | ConnectionLost) -> bool:
    """Whether repeating the same request makes sense."""
    if isinstance(failure, ConnectionLost):
        return True
    is_temporary = failure.status in _RETRY_STATUSES and failure.body.get("retryable") is not False
    return is_temporary or failure.code in _PENDING_CODES


def wait_before(
    failure: ApiError | ConnectionLost, attempts: int, elapsed_seconds: float, bounds: RetryBounds
) -> float | None:
    """Wait before the next attempt in seconds; None once a bound is reached."""
    requested = failure.retry_after_seconds if isinstance(failure, ApiError) else None
    backoff = min(bounds.backoff_seconds * 2 ** (attempts - 1), bounds.backoff_seconds_max)
    wait = backoff if requested is None else requested
    is_within_bounds = attempts < bounds.attempts_max and elapsed_seconds + wait <= bounds.total_seconds
    return wait if is_within_bounds else None
