"""An inbox, item by item."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .operations import InboxAnswer, InboxAnswerItems

# The longest that the service holds a request, in seconds.
WAIT_SECONDS = 25
# The mark of what is there already is written at once; a request that may wait counts by the larger limit.
_WAIT_TO_MARK = 1


def inbox_items(inbox: Callable[..., InboxAnswer], wait: int = WAIT_SECONDS) -> Iterator[InboxAnswerItems]:
    """
    What happens to an agent, oldest first. A page is marked as handed out once its last item was taken, so that who
    dies while it is at it gets the page again; what another reader was faster with is not handed out here. `wait` is
    how many seconds one request waits for something new; 0 ends with what is there.
    """
    while True:
        items = inbox(peek=True, wait=wait)["items"]
        yield from items
        if items:
            taken = {item["id"] for item in items}
            marked = inbox(limit=len(items), wait=_WAIT_TO_MARK)["items"]
            # Where another reader was faster, the mark is behind other items, which nobody else hands out.
            yield from (item for item in marked if item["id"] not in taken)
        elif wait == 0:
            return
