"""Repetition of requests."""

from __future__ import annotations

import unittest
from threading import Event

from agent_job_network import ApiError, ConnectionLost, RetryBounds
from clients import ClientOptions, NetworkReader
from scripted_service import (
    LOST,
    MUSE,
    NOW,
    Answer,
    FakeTime,
    ScriptedService,
    Step,
    against,
    keyed,
    ok,
    refused,
    tokened,
)

MINUTE_MS = 60_000


def sent(service: ScriptedService) -> set[tuple[bytes, str]]:
    """Parts that must be equal in a repeated request."""
    return {(seen.text, seen.headers["idempotency-key"]) for seen in service.seen}


class Retries(unittest.TestCase):
    def test_the_same_signed_bytes_are_sent_again(self) -> None:
        cases: list[tuple[str, Step, float]] = [
            ("whose answer was lost", LOST, 0.25),
            ("whose answer is no JSON", Answer(502, b"<html>bad gateway</html>"), 0.25),
            ("whose answer is no text", Answer(200, b"\xff\xfe{}"), 0.25),
            ("while the service is away", refused(503, "unavailable", {}, {"retry-after": "2"}), 2),
            ("that is being carried out", refused(409, "in_progress", {}, {"retry-after": "1"}), 1),
            ("whose payment is pending", refused(409, "settlement_pending", {}, {"retry-after": "3"}), 3),
            ("whose payment nobody knows about", refused(409, "settlement_unknown", {}, {"retry-after": "3"}), 3),
            ("that came too fast", refused(429, "rate_limited", {}, {"retry-after": "4"}), 4),
        ]
        for case, step, wait in cases:
            time = FakeTime()
            with self.subTest(case), against([step, ok({"hire": 5})]) as service:
                with keyed(service, time.options()) as agent:
                    self.assertEqual(agent.hire(role="job-1", to=MUSE)["hire"], 5)
                self.assertEqual(time.waits, [wait])
                self.assertEqual(len(sent(service)), 1)

    def test_what_was_done_or_refused_for_good_is_not_repeated(self) -> None:
        for code in ("nonce_used", "role_closed", "idempotency_conflict", "payment_used"):
            with self.subTest(code), against([refused(409, code, {}, {"retry-after": "1"})]) as service:
                with keyed(service) as agent, self.assertRaisesRegex(ApiError, rf"409 {code}\)"):
                    agent.hire(role="job-1", to=MUSE)

    def test_a_wait_that_would_take_longer_than_the_operation_may_is_not_begun(self) -> None:
        time = FakeTime()
        with against([refused(429, "rate_limited", {}, {"retry-after": "3600"})]) as service:
            with keyed(service, time.options()) as agent, self.assertRaises(ApiError):
                agent.hire(role="job-1", to=MUSE)
        self.assertEqual(time.waits, [])

    def test_attempts_are_bounded_waits_grow_and_what_was_given_up_can_be_resumed_as_it_was(self) -> None:
        time = FakeTime()
        options = time.options(retry=RetryBounds(attempts_max=3))
        with against([LOST, LOST, LOST, ok({"hire": 5})]) as service, keyed(service, options) as agent:
            with self.assertRaises(ConnectionLost) as raised:
                agent.hire(role="job-1", to=MUSE)
            self.assertEqual(time.waits, [0.25, 0.5])
            self.assertEqual(raised.exception.resume()["hire"], 5)
            self.assertEqual(len(sent(service)), 1)

    def test_a_signature_that_became_too_old_is_made_again_with_the_same_nonce(self) -> None:
        retry = RetryBounds(total_seconds=1200, backoff_seconds=300, backoff_seconds_max=300)
        with against([LOST, ok()]) as service, keyed(service, FakeTime().options(retry=retry)) as agent:
            agent.hire(role="job-1", to=MUSE)
            first, second = (seen.body for seen in service.seen)
            self.assertEqual(second["timestamp"], str(NOW + 5 * MINUTE_MS))
            self.assertEqual(second["nonce"], first["nonce"])
            self.assertNotEqual(second["signature"], first["signature"])

    def test_a_question_that_is_signed_again_takes_another_nonce_as_that_of_an_answered_one_is_spent(self) -> None:
        retry = RetryBounds(total_seconds=1200, backoff_seconds=300, backoff_seconds_max=300)
        with against([LOST, ok()]) as service, keyed(service, FakeTime().options(retry=retry)) as agent:
            agent.inbox()
            first, second = service.seen
            self.assertNotEqual(second.body["nonce"], first.body["nonce"])
            self.assertEqual(second.headers["idempotency-key"], first.headers["idempotency-key"])

    def test_a_clock_that_is_wrong_is_corrected_by_the_services_time_and_stays_so(self) -> None:
        server_time = NOW + 60 * MINUTE_MS
        too_old = refused(401, "timestamp_out_of_window", {"server_time": server_time})
        with against([too_old, ok(), ok()]) as service, keyed(service) as agent:
            agent.hire(role="job-1", to=MUSE)
            agent.hire(role="job-1", to=MUSE)
            bodies = [seen.body for seen in service.seen]
            self.assertEqual([body["timestamp"] for body in bodies], [str(NOW), str(server_time), str(server_time)])
            self.assertEqual(bodies[1]["nonce"], bodies[0]["nonce"])

    def test_a_clock_is_corrected_once_for_one_operation(self) -> None:
        too_old = refused(401, "timestamp_out_of_window", {"server_time": NOW + MINUTE_MS})
        with against([too_old, too_old]) as service, keyed(service) as agent:
            with self.assertRaisesRegex(ApiError, r"401 timestamp_out_of_window\)"):
                agent.hire(role="job-1", to=MUSE)

    def test_a_bearer_write_is_repeated_under_its_idempotency_key(self) -> None:
        with against([LOST, LOST, ok()]) as service, tokened(service) as agent:
            agent.hire(role="job-1", to=MUSE)
            self.assertEqual(len(sent(service)), 1)

    def test_a_question_whose_answer_was_lost_is_sent_again_as_it_was(self) -> None:
        for client in (keyed, tokened):
            with self.subTest(client.__name__), against([LOST, ok({"items": []})]) as service:
                with client(service) as agent:
                    agent.inbox()
                self.assertEqual(len(sent(service)), 1)

    def test_a_read_is_repeated_until_what_it_asks_for_is_visible(self) -> None:
        time = FakeTime()
        answers = [refused(503, "not_yet_visible", {}, {"retry-after": "1"}), ok({"roles": []})]
        with against(answers) as service, NetworkReader(service.url, time.options()) as reader:
            self.assertEqual(reader.roles()["roles"], [])
        self.assertEqual(time.waits, [1])

    def test_a_read_that_is_not_worth_repeating_is_not_repeated_whatever_its_status(self) -> None:
        answer = refused(503, "projection_stopped", {"retryable": False})
        with against([answer]) as service, NetworkReader(service.url, FakeTime().options()) as reader:
            self.assertRaisesRegex(ApiError, r"503 projection_stopped\)", reader.roles)

    def test_a_redirect_is_not_followed_so_that_nothing_signed_goes_to_another_host(self) -> None:
        redirect = Answer(302, b"", {"location": "http://127.0.0.1:1/"})
        with against([redirect]) as service, keyed(service) as agent:
            with self.assertRaisesRegex(ApiError, r"302 http_302\)"):
                agent.hire(role="job-1", to=MUSE)

    def test_an_answer_that_does_not_come_in_time_counts_as_lost(self) -> None:
        ended = Event()

        def hang(_seen: object) -> Step:
            ended.wait(10)
            return LOST

        options = ClientOptions(request_timeout_seconds=0.05, retry=RetryBounds(attempts_max=1))
        with against(hang) as service, tokened(service, options) as agent:
            with self.assertRaises(ConnectionLost):
                agent.hire(role="job-1", to=MUSE)
            ended.set()
