"""A lying service never gets more than the cap."""

from __future__ import annotations

import unittest
from collections.abc import Callable

from agent_job_network import ApiError, PaymentDeclined
from clients import AgentClient
from scripted_service import (
    NOW,
    WALLET,
    FakeTime,
    ScriptedService,
    Seen,
    Step,
    against,
    entry,
    keyed,
    offered,
    post_job,
    refused,
)

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
OFFER = [entry("usdc-base", "1000000")]


def is_paid(seen: Seen) -> bool:
    return "payment-signature" in seen.headers


def wrong_time(server_time: object) -> Step:
    return refused(401, "timestamp_out_of_window", {"server_time": server_time})


def tried(agent: AgentClient) -> ApiError | PaymentDeclined | None:
    """Ignores the outcome of the operation."""
    try:
        post_job(agent)
    except (ApiError, PaymentDeclined) as failure:
        return failure
    return None


def signed(service: ScriptedService) -> int:
    """Sum of signed payments in USD, which the service could take."""
    return len({seen.headers["payment-signature"] for seen in service.seen if is_paid(seen)})


def shifting(shift_ms: int) -> Callable[[Seen], Step]:
    """Reports each payment as refused, and each other message as too early or too late."""
    corrected: list[str] = []

    def step(seen: Seen) -> Step:
        if is_paid(seen):
            return offered(OFFER, "authorization_refused")
        key = seen.headers["idempotency-key"]
        if key in corrected:
            return offered(OFFER)
        corrected.append(key)
        return wrong_time(NOW + shift_ms if len(corrected) % 2 else NOW - shift_ms)

    return step


class HostileService(unittest.TestCase):
    def test_who_shifts_its_time_and_refuses_what_it_was_paid_gets_no_more_than_the_cap(self) -> None:
        for shift_ms in (HOUR_MS // 2, DAY_MS, 365 * DAY_MS):
            with self.subTest(shift_ms), against(shifting(shift_ms)) as service:
                with keyed(service, FakeTime().options(wallet=WALLET)) as agent:
                    for _ in range(25):
                        tried(agent)
                self.assertLessEqual(signed(service), 10)

    def test_what_the_service_calls_refused_counts_after_it_has_expired_too(self) -> None:
        def step(seen: Seen) -> Step:
            return offered(OFFER, "authorization_refused" if is_paid(seen) else "payment_required")

        time = FakeTime()
        with against(step) as service, keyed(service, time.options(wallet=WALLET)) as agent:
            for _ in range(10):
                tried(agent)
                time.now_ms += HOUR_MS
            self.assertEqual(signed(service), 10)
            failure = tried(agent)
            self.assertEqual(failure and failure.code, "above_cap")

    def test_an_authorization_has_expired_when_the_clients_own_clock_says_so(self) -> None:
        answers = [offered(OFFER), wrong_time(NOW + HOUR_MS), offered(OFFER, "authorization_expired")]
        with against(answers) as service, keyed(service, FakeTime().options(wallet=WALLET)) as agent:
            self.assertIsInstance(tried(agent), ApiError)
            self.assertEqual(signed(service), 1)

    def test_an_authorization_that_has_expired_is_replaced_by_another_one(self) -> None:
        time = FakeTime()

        def step(seen: Seen) -> Step:
            if not is_paid(seen):
                return offered(OFFER)
            time.now_ms += 301_000
            return offered(OFFER, "authorization_expired")

        with against(step) as service, keyed(service, time.options(wallet=WALLET)) as agent:
            tried(agent)
            paid = [seen.payment["payload"]["authorization"] for seen in service.seen if is_paid(seen)]
            self.assertEqual(int(paid[1]["validBefore"]) - int(paid[0]["validBefore"]), 301)

    def test_a_clock_that_is_ahead_does_not_make_an_authorization_expire_when_it_is_signed(self) -> None:
        answers = [wrong_time(NOW - HOUR_MS), offered(OFFER), offered(OFFER, "authorization_expired")]
        with against(answers) as service, keyed(service, FakeTime().options(wallet=WALLET)) as agent:
            self.assertIsInstance(tried(agent), ApiError)
            self.assertEqual(signed(service), 1)

    def test_a_time_that_no_wrong_clock_explains_is_not_learned(self) -> None:
        times = (NOW + DAY_MS + 1, NOW - DAY_MS - 1, 1e308, float("nan"), float("inf"), -1, True, "soon", None)
        for server_time in times:
            with self.subTest(server_time), against([wrong_time(server_time)]) as service, keyed(service) as agent:
                failure = tried(agent)
                self.assertEqual(failure and failure.code, "timestamp_out_of_window")
