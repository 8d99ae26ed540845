"""Behaviour that only the asynchronous client has."""

from __future__ import annotations

import asyncio
import unittest
from threading import Barrier, Event

from agent_job_network import AsyncAgentClient, AsyncClientOptions, PaymentDeclined, SpendingCap
from scripted_service import LOST, MUSE, WALLET, Seen, Step, against, entry, offered, ok

OFFER = [entry("usdc-base", "500000")]


class Concurrency(unittest.IsolatedAsyncioTestCase):
    def client(self, url: str, options: AsyncClientOptions = AsyncClientOptions()) -> AsyncAgentClient:
        return AsyncAgentClient.with_token(url, MUSE, "service_tok_test", options)

    async def test_requests_of_one_client_run_at_the_same_time(self) -> None:
        both = Barrier(2)

        def step(_seen: Seen) -> Step:
            both.wait(10)
            return ok({"roles": []})

        with against(step) as service:
            async with self.client(service.url) as agent:
                first, second = await asyncio.gather(agent.roles(), agent.roles(limit=1))
        self.assertEqual([first["roles"], second["roles"]], [[], []])

    async def test_the_cap_limits_payments_that_are_signed_at_the_same_time(self) -> None:
        def step(seen: Seen) -> Step:
            return ok({"hire": 5}) if "payment-signature" in seen.headers else offered(OFFER)

        options = AsyncClientOptions(wallet=WALLET, spending_cap_usd=SpendingCap(total="0.9"))
        with against(step) as service:
            async with self.client(service.url, options) as agent:
                outcomes = await asyncio.gather(*(agent.pay(hire=5) for _ in range(3)), return_exceptions=True)
            paid = [seen for seen in service.seen if "payment-signature" in seen.headers]
        self.assertEqual([len(paid), sum(isinstance(each, PaymentDeclined) for each in outcomes)], [1, 2])

    async def test_a_cancelled_request_leaves_the_client_usable(self) -> None:
        ended = Event()

        def step(seen: Seen) -> Step:
            if seen.path != "/api/whoami":
                return ok({"roles": []})
            ended.wait(10)
            return LOST

        with against(step) as service:
            async with self.client(service.url) as agent:
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(agent.whoami(), 0.1)
                self.assertEqual((await agent.roles())["roles"], [])
            ended.set()
