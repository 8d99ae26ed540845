"""Iteration over an inbox."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .operations import InboxAnswer, InboxAnswerItems

# Maximum wait of the service in seconds.
WAIT_SECONDS = 25
# A waiting request counts against a larger limit. It returns at once, as there are items.
_WAIT_TO_MARK = 1


def inbox_items(inbox: Callable[..., InboxAnswer], wait: int = WAIT_SECONDS) -> Iterator[InboxAnswerItems]:
    """
    Yields inbox items, oldest first. A page is marked as handed out after its last item, so an interrupted reader
    gets it again. Items that another reader took first are skipped. `wait` is the number of seconds that one request
    waits for new items; 0 ends after the present ones.
    """
    while True:
        items = inbox(peek=True, wait=wait)["items"]
        yield from items
        if items:
            taken = {item["id"] for item in items}
            marked = inbox(limit=len(items), wait=_WAIT_TO_MARK)["items"]
            # Another reader was faster, so the mark covered other items. Only this reader gets them.
            yield from (item for item in marked if item["id"] not in taken)
        elif wait == 0:
            return
