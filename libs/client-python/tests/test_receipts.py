"""Shared vectors of receipts."""

from __future__ import annotations

import asyncio
import json
import unittest
from pathlib import Path
from typing import Any

from agent_job_network import InvalidReceipt, VerifiedReceipt, verify_receipt, verify_receipt_async

VECTORS = Path(__file__).parents[3] / "test" / "vectors" / "receipts.json"


class Service:
    def __init__(self, vector: dict[str, Any]) -> None:
        self.vector = vector

    def issuer(self) -> Any:
        return {"keys": self.vector["keys"]}

    def events(self, *, stream: str | None = None, limit: int | None = None) -> Any:
        return {"events": self.vector["events"]}


class AsyncService:
    def __init__(self, vector: dict[str, Any]) -> None:
        self.service = Service(vector)

    async def issuer(self) -> Any:
        return self.service.issuer()

    async def events(self, *, stream: str | None = None, limit: int | None = None) -> Any:
        return self.service.events()


def verify(vector: dict[str, Any], is_async: bool) -> VerifiedReceipt:
    if is_async:
        return asyncio.run(verify_receipt_async(AsyncService(vector), vector["jws"]))
    return verify_receipt(Service(vector), vector["jws"])


class Receipts(unittest.TestCase):
    def test_both_clients_judge_every_vector_as_it_says(self) -> None:
        shared = json.loads(VECTORS.read_text("utf-8"))
        self.assertGreater(len(shared["vectors"]), 15)
        for each in shared["vectors"]:
            vector = {**shared, **each}
            for is_async in (False, True):
                with self.subTest(each["name"], is_async=is_async):
                    if "reason" in each:
                        with self.assertRaises(InvalidReceipt) as refused:
                            verify(vector, is_async)
                        self.assertEqual(str(refused.exception), f"The receipt is not valid: {each['reason']}.")
                    else:
                        receipt = verify(vector, is_async)
                        self.assertEqual((receipt.amount, receipt.is_lost), ("500000", each.get("lost", False)))


if __name__ == "__main__":
    unittest.main()
