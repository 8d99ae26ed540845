"""Iteration over an inbox."""

from __future__ import annotations

import unittest
from collections.abc import Callable
from typing import Any

from scripted_service import ScriptedService, Seen, Step, against, keyed, ok


def page(*ids: int) -> dict[str, Any]:
    return {"items": [{"kind": "hired", "id": id, "created_at": 0} for id in ids]}


def pages(*contents: dict[str, Any]) -> Callable[[Seen], Step]:
    left = list(contents)
    return lambda _seen: ok(left.pop(0))


def asked(service: ScriptedService) -> list[tuple[str | None, ...]]:
    return [tuple(seen.body.get(name) for name in ("peek", "limit", "wait")) for seen in service.seen]


class InboxItems(unittest.TestCase):
    def test_a_page_is_marked_as_handed_out_once_its_last_item_was_taken_and_not_sooner(self) -> None:
        with against(pages(page(1, 2), page(1, 2), page())) as service, keyed(service) as agent:
            seen = [(item["id"], len(service.seen)) for item in agent.inbox_items(wait=0)]
            self.assertEqual(seen, [(1, 1), (2, 1)])
            self.assertEqual([limit for _, limit, _ in asked(service)], [None, "2", None])

    def test_who_stops_within_a_page_marks_nothing_of_it(self) -> None:
        with against(pages(page(1, 2))) as service, keyed(service) as agent:
            self.assertEqual(next(agent.inbox_items())["id"], 1)
            self.assertEqual(asked(service), [("true", None, "25")])

    def test_what_the_mark_covers_beyond_the_page_where_another_reader_was_faster_is_handed_out_too(self) -> None:
        with against(pages(page(1, 2), page(2, 3), page())) as service, keyed(service) as agent:
            self.assertEqual([item["id"] for item in agent.inbox_items(wait=0)], [1, 2, 3])
