"""The service's time as far as a client knows it."""

from __future__ import annotations

from collections.abc import Callable

# A wrong time zone explains a clock that is wrong by hours, nothing one that is wrong by more than a day.
_OFFSET_MS_MAX = 24 * 60 * 60 * 1000


class ServiceClock:
    """
    The client's own clock, corrected by what the service said. It dates messages and authorizations; nothing that
    protects the client itself depends on it.
    """

    def __init__(self, local: Callable[[], float]) -> None:
        """`local` answers unix time in seconds."""
        self._local = local
        self._offset_ms = 0

    def now(self) -> int:
        """Unix ms, as the service counts."""
        return self.local_now() + self._offset_ms

    def local_now(self) -> int:
        """Unix ms of this machine, which no service changes."""
        return round(self._local() * 1000)

    def learn(self, server_time: float) -> bool:
        """Answers false for a time that no wrong clock explains; such a time is not believed."""
        offset_ms = server_time - self.local_now()
        # Written so that what is no number at all is not believed either.
        if not abs(offset_ms) <= _OFFSET_MS_MAX:
            return False
        self._offset_ms = round(offset_ms)
        return True
