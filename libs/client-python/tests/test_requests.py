"""Requests of a client, and refusals."""

from __future__ import annotations

import unittest
from base64 import urlsafe_b64decode

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from agent_job_network import LEFT_OUT, ApiError, RetryBounds, signed_message
from clients import AgentClient, NetworkReader
from scripted_service import MUSE, NOW, PAYEE, SEED, FakeTime, Seen, against, keyed, ok, post_job, refused, tokened

IDEMPOTENCY_KEY = r"^[A-Za-z0-9_-]{22,128}$"


def verify(seen: Seen, public_key: str, muse_id: str) -> None:
    """Raises InvalidSignature."""
    body = seen.body
    message = signed_message(
        tag="service-v1",
        endpoint=seen.path.rpartition("/")[2],
        timestamp=body["timestamp"],
        nonce=body["nonce"],
        muse_id=muse_id,
        fields=body,
    )
    key = Ed25519PublicKey.from_public_bytes(urlsafe_b64decode(f"{public_key}="))
    key.verify(urlsafe_b64decode(f"{body['signature']}=="), message.encode())


class WithKey(unittest.TestCase):
    def test_a_body_is_signed_under_the_last_word_of_its_path(self) -> None:
        with against([ok({"role": "job-1", "status": "applied"})]) as service, keyed(service) as agent:
            answer = agent.apply(role="job-1", note="Ça va: très\nbien.", trial_answer="4")
            self.assertEqual(answer["status"], "applied")
            [seen] = service.seen
            self.assertEqual([seen.method, seen.path], ["POST", "/api/apply"])
            body = seen.body
            expected = {"role": "job-1", "trial_answer": "4", "muse_id": MUSE, "timestamp": str(NOW)}
            self.assertLessEqual(expected.items(), body.items())
            self.assertEqual(body["origin"], service.url)
            self.assertRegex(body["nonce"], IDEMPOTENCY_KEY)
            verify(seen, agent.public_key or "", MUSE)

    def test_a_new_key_signs_for_itself_and_is_known_by_its_identity_from_then_on(self) -> None:
        with against([ok({"muse_id": MUSE, "created": True}), ok({"first": True})]) as service:
            agent = AgentClient.with_key(service.url, SEED, FakeTime().options())
            self.assertRaisesRegex(ValueError, "call register first", lambda: agent.muse_id)
            agent.register(name="Ada", headline="Counts")
            agent.join(headline="Counts", skills=["maths", "poetry"], open_to_work=True)
            key = agent.public_key or ""
            register, join = service.seen
            self.assertEqual(register.body["public_key"], key)
            self.assertNotIn("muse_id", register.body)
            verify(register, key, key)
            self.assertLessEqual({"skills": "maths,poetry", "open_to_work": "true"}.items(), join.body.items())
            verify(join, key, MUSE)
            agent.close_connections()

    def test_a_key_that_nobody_knows_does_not_sign_for_anybody(self) -> None:
        with against([]) as service, AgentClient.with_key(service.url, "new") as agent:
            self.assertRaisesRegex(ValueError, "has no identity yet", agent.whoami)

    def test_a_challenge_of_another_task_is_not_signed(self) -> None:
        with against([]) as service, keyed(service) as agent:
            challenge = f"service-instant-v1\n7\n{MUSE}\nabc"
            task = {"id": 7, "input": {"challenge": challenge}}
            self.assertEqual(len(agent.sign_challenge(task)), 86)  # type: ignore[arg-type]
            for wrong in ({**task, "id": 8}, {**task, "input": {"challenge": f"{challenge}\nx"}}):
                with self.assertRaisesRegex(ValueError, "not signed"):
                    agent.sign_challenge(wrong)  # type: ignore[arg-type]

    def test_a_new_key_takes_the_place_of_the_one_before(self) -> None:
        with against([ok(), ok()]) as service, keyed(service) as agent:
            renewed = agent.with_new_key()
            renewed.whoami()
            bound, asked = service.seen
            self.assertEqual(bound.body["public_key"], renewed.public_key)
            verify(bound, agent.public_key or "", MUSE)
            verify(asked, renewed.public_key or "", MUSE)

    def test_a_recovery_key_is_named_and_signs_for_a_new_key(self) -> None:
        with against([ok(), ok({"ends_at": 1_900_000_000_000})]) as service, keyed(service) as agent:
            recovery = agent.name_recovery_key()
            renewed, ends_at = recovery.recover_key()
            named, started = service.seen
            self.assertEqual([named.path, named.body["public_key"]], ["/api/recovery", recovery.public_key])
            verify(named, agent.public_key or "", MUSE)
            self.assertEqual([started.path, started.body["public_key"]], ["/api/recover", renewed.public_key])
            verify(started, recovery.public_key or "", MUSE)
            self.assertEqual(ends_at, 1_900_000_000_000)


class WithToken(unittest.TestCase):
    def test_a_quickstart_makes_an_agent_that_acts_with_its_token(self) -> None:
        welcome = ok({"muse_id": MUSE, "token": "service_tok_x", "next": []})
        with against([welcome, ok({"muse_id": MUSE})]) as service:
            with AgentClient.quickstart(service.url, headline="Reads", job_alerts=False) as agent:
                agent.whoami()
            quickstart, whoami = service.seen
            self.assertEqual(agent.muse_id, MUSE)
            self.assertEqual(agent.welcome and agent.welcome["token"], "service_tok_x")
            self.assertEqual(quickstart.body, {"headline": "Reads", "job_alerts": "false"})
            self.assertNotIn("authorization", quickstart.headers)
            self.assertRegex(quickstart.headers["idempotency-key"], IDEMPOTENCY_KEY)
            self.assertEqual(whoami.headers["authorization"], "Bearer service_tok_x")
            self.assertEqual(whoami.body, {"origin": service.url})

    def test_every_write_has_an_idempotency_key_of_its_own(self) -> None:
        with against([ok(), ok()]) as service, tokened(service) as agent:
            agent.hire(role="job-1", to=MUSE)
            agent.hire(role="job-1", to=MUSE)
            first, second = (seen.headers["idempotency-key"] for seen in service.seen)
            self.assertNotEqual(first, second)

    def test_a_field_that_was_left_out_is_not_sent_and_none_clears_what_can_be_cleared(self) -> None:
        with against([ok(), ok()]) as service, tokened(service) as agent:
            agent.profile(about=None, bio=LEFT_OUT, name="Ada", from_="Turin")
            agent.apply(role="job-1", note="Yes.", trial_answer=None)
            profile, apply = (seen.body for seen in service.seen)
            origin = {"origin": service.url}
            self.assertEqual(profile, {"about": "", "name": "Ada", "from": "Turin", **origin})
            self.assertEqual(apply, {"role": "job-1", "note": "Yes.", **origin})

    def test_a_field_that_is_a_word_of_python_has_none_of_its_underscore_wherever_an_identity_is_made(self) -> None:
        made = ok({"muse_id": MUSE, "token": "service_tok_x", "next": []})
        with against([made] * 3) as service, AgentClient.quickstart(service.url, from_="Turin"):
            with AgentClient.with_key(service.url, SEED) as agent:
                agent.register(name="Ada", headline="Counts", from_="Turin")
                agent.identity(name="Ada", headline="Counts", wallet=PAYEE, from_="Turin")
            for seen in service.seen:
                self.assertEqual([seen.body.get("from"), seen.body.get("from_")], ["Turin", None])

    def test_a_number_is_sent_as_its_digits(self) -> None:
        with against([ok()]) as service, tokened(service) as agent:
            agent.post(text="Done.", proofs=[12, 13])
            self.assertEqual(service.seen[0].body["proofs"], "12,13")


class Reads(unittest.TestCase):
    def test_a_read_asks_for_what_the_client_has_written(self) -> None:
        position = "00000000000000000009"
        with against([ok({}, {"event-position": position}), ok(), ok()]) as service, tokened(service) as agent:
            agent.hire(role="job-1", to=MUSE)
            agent.roles(skill="c++", limit=5)
            agent.hire(role="job-1", to=MUSE)
            first, read, second = service.seen
            self.assertEqual([read.method, read.path, read.text], ["GET", "/api/roles?skill=c%2B%2B&limit=5", b""])
            self.assertEqual(read.headers["min-position"], position)
            for write in (first, second):
                self.assertNotIn("min-position", write.headers)

    def test_a_question_asks_for_what_the_client_has_written_and_has_an_idempotency_key_of_its_own(self) -> None:
        answers = [ok({}, {"event-position": "7"}), ok({}, {"event-position": "8"}), ok()]
        with against(answers) as service, tokened(service) as agent:
            agent.hire(role="job-1", to=MUSE)
            agent.applications(role="job-1")
            agent.inbox()
            self.assertEqual([seen.headers.get("min-position") for seen in service.seen], [None, "7", "8"])
            keys = [seen.headers["idempotency-key"] for seen in service.seen]
            for key in keys:
                self.assertRegex(key, IDEMPOTENCY_KEY)
            self.assertEqual(len(set(keys)), 3)

    def test_a_read_asks_for_the_highest_position_of_all_clients_of_its_service(self) -> None:
        answers = [ok({}, {"event-position": "2"}), ok({}, {"event-position": "1"}), ok()]
        with against(answers) as service, tokened(service) as ada, tokened(service) as ben:
            for agent in (ada, ben):
                agent.hire(role="job-1", to=MUSE)
            with NetworkReader(f"{service.url}/") as reader:
                reader.role(slug="job 1/2")
            read = service.seen[2]
            self.assertEqual([read.path, read.headers["min-position"]], ["/api/role/job%201%2F2", "2"])

    def test_a_read_forgets_a_position_that_the_service_does_not_reach(self) -> None:
        answers = [ok({}, {"event-position": "9"}), refused(503, "not_yet_visible"), ok()]
        options = FakeTime().options(retry=RetryBounds(attempts_max=1))
        with against(answers) as service, tokened(service, options) as agent:
            agent.hire(role="job-1", to=MUSE)
            with self.assertRaisesRegex(ApiError, r"503 not_yet_visible\)"):
                agent.roles()
            agent.roles()
            positions = [seen.headers.get("min-position") for seen in service.seen]
            self.assertEqual(positions, [None, "9", None])

    def test_a_read_drops_a_position_that_the_log_does_not_have_and_asks_again_without_it(self) -> None:
        answers = [ok({}, {"event-position": "9"}), refused(400, "min_position"), ok(), ok()]
        with against(answers) as service, tokened(service) as agent:
            agent.hire(role="job-1", to=MUSE)
            agent.roles()
            agent.roles()
            positions = [seen.headers.get("min-position") for seen in service.seen]
            self.assertEqual(positions, [None, "9", None, None])

    def test_a_profile_is_ones_own_unless_another_is_named(self) -> None:
        with against([ok(), ok()]) as service, tokened(service) as agent:
            agent.own_profile()
            agent.muse(id="agent_aaaaaaaaaa")
            self.assertEqual([seen.path for seen in service.seen], [f"/api/muse/{MUSE}", "/api/muse/agent_aaaaaaaaaa"])


class Refusals(unittest.TestCase):
    def test_a_refusal_says_what_was_wrong(self) -> None:
        answer = refused(400, "title", {"field": "title", "hint": "Two characters or more."})
        with against([answer]) as service, tokened(service) as agent, self.assertRaises(ApiError) as raised:
            post_job(agent)
        failure = raised.exception
        self.assertEqual([failure.status, failure.code, failure.field], [400, "title", "title"])
        self.assertEqual([failure.error, failure.hint], ["Refused: title.", "Two characters or more."])
        self.assertEqual([failure.retryable, failure.is_resumable, failure.body["ok"]], [False, False, False])
        self.assertRaisesRegex(RuntimeError, "cannot be resumed", failure.resume)

    def test_a_refusal_names_every_wrong_field_with_its_reason(self) -> None:
        faults = [
            {"field": "title", "reason": "too_short", "error": "title is too short."},
            {"field": "seats", "reason": "out_of_range", "error": "seats are too many."},
        ]
        answer = refused(400, "title", {"field": "title", "reason": "too_short", "fields": faults})
        with against([answer, refused(409, "role_closed")]) as service, tokened(service) as agent:
            failures = []
            for _ in range(2):
                with self.assertRaises(ApiError) as raised:
                    post_job(agent)
                failures.append(raised.exception)
        self.assertEqual([failure.reason for failure in failures], ["too_short", None])
        self.assertEqual([failure.fields for failure in failures], [faults, []])

    def test_an_address_that_is_none_is_refused_at_once(self) -> None:
        for address in ("127.0.0.1:3000", "ftp://service.test", ""):
            with self.subTest(address), self.assertRaisesRegex(ValueError, "is not an http or https address"):
                NetworkReader(address)
