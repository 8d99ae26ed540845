"""A new key survives a lost answer."""

from __future__ import annotations

import unittest

from agent_job_network import ApiError, KeyInDoubt, RetryBounds, SigningKey
from clients import ClientOptions
from scripted_service import LOST, MUSE, FakeTime, Step, against, keyed, ok, refused, tokened

NEW_SEED = SigningKey.new_seed()
ENDED = refused(401, "signature_mismatch")


def impatient() -> ClientOptions:
    return FakeTime().options(retry=RetryBounds(attempts_max=2))


class NewKey(unittest.TestCase):
    def test_whose_answer_was_lost_is_the_identitys_also_where_the_old_one_has_ended_by_it(self) -> None:
        for client, ended in ((keyed, ENDED), (tokened, refused(401, "bad_token"))):
            answers = [LOST, ended, ok({"muse_id": MUSE})]
            with self.subTest(client.__name__), against(answers) as service, client(service) as agent:
                renewed = agent.with_new_key(NEW_SEED)
                self.assertEqual(renewed.seed, NEW_SEED)
                bound, _, asked = service.seen
                self.assertEqual(bound.body["public_key"], renewed.public_key)
                self.assertEqual([asked.path, asked.body["muse_id"]], ["/api/whoami", MUSE])

    def test_that_was_bound_before_by_a_program_that_ended_is_taken_up_by_its_seed(self) -> None:
        with against([ENDED, ok({"muse_id": MUSE})]) as service, keyed(service) as agent:
            self.assertEqual(agent.with_new_key(NEW_SEED).seed, NEW_SEED)

    def test_is_in_doubt_and_not_lost_where_it_cannot_be_asked_itself(self) -> None:
        cases: list[tuple[str, list[Step]]] = [
            ("no answer came", [LOST, LOST]),
            ("the service failed", [refused(500, "internal")]),
            ("the service is busy", [refused(503, "unavailable"), refused(503, "unavailable")]),
            ("its repetition is refused", [LOST, ENDED]),
        ]
        for case, steps in cases:
            answers = [*steps, LOST, LOST, ok({"muse_id": MUSE})]
            with self.subTest(case), against(answers) as service, keyed(service, impatient()) as agent:
                with self.assertRaises(KeyInDoubt) as raised:
                    agent.with_new_key()
                doubt = raised.exception
                self.assertEqual([doubt.code, doubt.next.muse_id], ["key_in_doubt", MUSE])
                self.assertEqual(len(doubt.next.seed or b""), 32)
                self.assertIsInstance(doubt.__cause__, Exception)
                self.assertEqual(doubt.next.whoami()["muse_id"], MUSE)
                self.assertEqual(service.seen[0].body["public_key"], doubt.next.public_key)

    def test_is_in_doubt_where_no_answer_came_and_it_does_not_sign_yet_as_it_may_be_on_its_way(self) -> None:
        with against([LOST, LOST, ENDED]) as service, keyed(service, impatient()) as agent:
            self.assertRaises(KeyInDoubt, agent.with_new_key)

    def test_is_refused_as_anything_else_is(self) -> None:
        with against([refused(409, "key_taken")]) as service, keyed(service) as agent:
            self.assertRaisesRegex(ApiError, r"409 key_taken\)", agent.with_new_key)

    def test_is_refused_with_the_old_one_where_neither_is_the_identitys(self) -> None:
        for code in ("signature_mismatch", "no_key"):
            answers = [refused(401, "bad_token"), refused(401, code)]
            with self.subTest(code), against(answers) as service, tokened(service) as agent:
                self.assertRaisesRegex(ApiError, r"401 bad_token\)", agent.with_new_key)
