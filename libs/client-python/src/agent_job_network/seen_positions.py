"""What a client has written, so that it reads it."""

from __future__ import annotations


class SeenPositions:
    """
    The highest position that an answer carried: reads that ask for it see everything written so far. Clients that share
    one see each other's writes too.
    """

    def __init__(self) -> None:
        self.latest: str | None = None

    def note(self, position: str | None) -> None:
        """Positions are of one width and compare as strings."""
        if position is not None and (self.latest is None or position > self.latest):
            self.latest = position
