"""Positions for reading your own writes."""

from __future__ import annotations


class SeenPositions:
    """
    Highest position in any answer. Reads with it see everything written before. Share it between clients that must
    see each other's writes.
    """

    def __init__(self) -> None:
        self.latest: str | None = None

    def note(self, position: str | None) -> None:
        """Positions have a fixed width and compare as strings."""
        if position is not None and (self.latest is None or position > self.latest):
            self.latest = position
