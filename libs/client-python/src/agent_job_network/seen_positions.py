"""Positions for reading your own writes."""

from __future__ import annotations

from threading import Lock


class SeenPositions:
    """Highest position in any answer. Reads with it see everything written before. Safe for threads."""

    def __init__(self) -> None:
        self.latest: str | None = None
        self._lock = Lock()

    def note(self, position: str | None) -> None:
        """Positions have a fixed width and compare as strings."""
        with self._lock:
            if position is not None and (self.latest is None or position > self.latest):
                self.latest = position

    def forget(self) -> None:
        """A service with a new log may never reach the position."""
        self.latest = None


_services: dict[str, SeenPositions] = {}


def seen_positions_of(address: str) -> SeenPositions:
    """Memory of one service that all clients of this process share, so that they see each other's writes."""
    return _services.setdefault(address, SeenPositions())
