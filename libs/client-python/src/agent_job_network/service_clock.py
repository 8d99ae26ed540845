"""Estimate of the service's time."""

from __future__ import annotations

from collections.abc import Callable

# A wrong time zone explains hours of difference, but nothing explains more than a day.
_OFFSET_MS_MAX = 24 * 60 * 60 * 1000


class ServiceClock:
    """
    Estimates the service's time by correcting the local clock. Only for timestamps: nothing that protects the client
    depends on it.
    """

    def __init__(self, local: Callable[[], float]) -> None:
        """`local` returns unix time in seconds."""
        self._local = local
        self._offset_ms = 0

    def now(self) -> int:
        """Unix ms by the service's clock."""
        return self.local_now() + self._offset_ms

    def local_now(self) -> int:
        """Unix ms by the local clock."""
        return round(self._local() * 1000)

    def learn(self, server_time: float) -> bool:
        """Returns False, and changes nothing, if the difference is implausible."""
        offset_ms = server_time - self.local_now()
        # This form also rejects NaN.
        if not abs(offset_ms) <= _OFFSET_MS_MAX:
            return False
        self._offset_ms = round(offset_ms)
        return True
