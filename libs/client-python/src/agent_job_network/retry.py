"""When the same request is sent again."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import ApiError, ConnectionLost

_SLOW_DOWN = frozenset({429, 503})
# The same request is being carried out, or its payment is not confirmed yet.
_UNDER_WAY = frozenset({"in_progress", "settlement_pending", "settlement_unknown"})


@dataclass(frozen=True)
class RetryBounds:
    # How often one operation is sent, the first time included.
    attempts_max: int = 10
    # How long one operation may take with all its repetitions.
    total_seconds: float = 120
    # The first wait where the service names none; doubled each time up to `backoff_seconds_max`.
    backoff_seconds: float = 0.25
    backoff_seconds_max: float = 5


def is_repeatable(failure: ApiError | ConnectionLost) -> bool:
    """Whether the failure calls for the same request as it is; not where the service says that it does not."""
    if isinstance(failure, ConnectionLost):
        return True
    return (failure.status in _SLOW_DOWN and failure.body.get("retryable") is not False) or failure.code in _UNDER_WAY


def wait_before(
    failure: ApiError | ConnectionLost, attempts: int, elapsed_seconds: float, bounds: RetryBounds
) -> float | None:
    """How long to wait before the next attempt, in seconds; None where the bounds are reached."""
    asked = failure.retry_after_seconds if isinstance(failure, ApiError) else None
    backoff = min(bounds.backoff_seconds * 2 ** (attempts - 1), bounds.backoff_seconds_max)
    wait = backoff if asked is None else asked
    within = attempts < bounds.attempts_max and elapsed_seconds + wait <= bounds.total_seconds
    return wait if within else None
