"""Iteration over an inbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .flow import Flow
from .operations import InboxAnswer, InboxAnswerItems

# Maximum wait of the service in seconds.
WAIT_SECONDS = 25
# A waiting request counts against a larger limit. It returns at once, as there are items.
_WAIT_TO_MARK = 1


class InboxPages:
    """
    Pages of an inbox, oldest first. A page is marked as handed out when the next one is asked for, so an interrupted
    reader gets it again. Items that another reader took first are skipped.
    """

    def __init__(self, inbox: Callable[[Mapping[str, Any]], Flow[InboxAnswer]], wait: int) -> None:
        """`wait` is the number of seconds that one request waits for new items; 0 ends after the present ones."""
        self._inbox = inbox
        self._wait = wait
        self._taken: set[int] = set()

    def next_page(self) -> Flow[list[InboxAnswerItems] | None]:
        """Returns None at the end."""
        if self._taken:
            taken, self._taken = self._taken, set()
            marked = yield from self._inbox({"limit": len(taken), "wait": _WAIT_TO_MARK})
            # Another reader was faster, so the mark covered other items. Only this reader gets them.
            others = [item for item in marked["items"] if item["id"] not in taken]
            if others:
                return others
        answer = yield from self._inbox({"peek": "true", "wait": self._wait})
        items = answer["items"]
        self._taken = {item["id"] for item in items}
        return items if items or self._wait != 0 else None
