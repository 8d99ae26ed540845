"""Shared vectors of the signed message."""

from __future__ import annotations

import json
import unittest
from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path
from typing import Any

from agent_job_network import SigningKey, Unsignable, signed_message
from agent_job_network.keys import Stamp
from agent_job_network.signed_message import signer_of

VECTORS = Path(__file__).parents[3] / "test" / "vectors"
MADE_BY_CLIENT = {"signature", "timestamp", "nonce", "muse_id", "x402_payment"}


def vectors(name: str) -> Any:
    return json.loads((VECTORS / name).read_text("utf-8"))


def of_base64url(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def message_of(vector: dict[str, Any]) -> str:
    body, endpoint = vector["body"], vector["endpoint"]
    return signed_message(
        tag=vector["tag"],
        endpoint=endpoint,
        timestamp=body["timestamp"],
        nonce=body["nonce"],
        muse_id=signer_of(endpoint, body),
        fields=body,
    )


class Vectors(unittest.TestCase):
    def test_the_signed_message_is_that_of_every_vector(self) -> None:
        told = [vector for vector in vectors("signed-message.json")["vectors"] if vector["message"] is not None]
        self.assertGreater(len(told), 30)
        for vector in told:
            with self.subTest(vector["name"]):
                self.assertEqual(message_of(vector), vector["message"])

    def test_a_hostile_name_is_signed_by_nobody(self) -> None:
        hostile = [vector for vector in vectors("signed-message.json")["vectors"] if vector["message"] is None]
        self.assertGreater(len(hostile), 4)
        for vector in hostile:
            with self.subTest(vector["name"]), self.assertRaises(Unsignable) as refused:
                message_of(vector)
            self.assertEqual(refused.exception.code, vector["error"])

    def test_a_body_is_signed_as_every_valid_vector_is(self) -> None:
        signed = [vector for vector in vectors("signed-message.json")["vectors"] if vector["valid"]]
        self.assertGreater(len(signed), 20)
        for vector in signed:
            with self.subTest(vector["name"]):
                body = vector["body"]
                key = SigningKey(of_base64url(vector["seed"]), vector["tag"], body.get("muse_id"))
                fields = {name: value or "" for name, value in body.items() if name not in MADE_BY_CLIENT}
                sent = key.fields(vector["endpoint"], fields, Stamp(int(body["timestamp"]), body["nonce"]))
                self.assertEqual(key.public_key, vector["public_key"])
                self.assertEqual(sent["signature"], body["signature"])

    def test_keys_and_signatures_are_those_of_rfc_8032(self) -> None:
        for vector in vectors("rfc-8032.json"):
            with self.subTest(vector["name"]):
                key = SigningKey(bytes.fromhex(vector["seed"]), "service-v1", None)
                self.assertEqual(key.public_key, text_of(vector["public_key"]))
                self.assertEqual(key.sign(bytes.fromhex(vector["message"])), text_of(vector["signature"]))

    def test_a_text_that_has_no_utf_8_form_is_signed_by_nobody(self) -> None:
        with self.assertRaises(Unsignable) as refused:
            signed_message(tag="t", endpoint="e", timestamp="1", nonce="n", muse_id="m", fields={"text": "\ud800"})
        self.assertEqual(refused.exception.field, "text")


def text_of(hexadecimal: str) -> str:
    return urlsafe_b64encode(bytes.fromhex(hexadecimal)).rstrip(b"=").decode()
