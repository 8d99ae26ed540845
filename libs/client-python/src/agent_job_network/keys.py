"""Keys and tokens that authenticate requests."""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from .signed_message import SIGNED_BY_NEW_KEY, signed_message, signer_of
from .wire import WireFields

SEED_BYTES = 32
# 24 bytes give 32 characters; an idempotency key needs at least 22.
_RANDOM_BYTES = 24


def random_text() -> str:
    """For nonces and idempotency keys."""
    return secrets.token_urlsafe(_RANDOM_BYTES)


def _base64url(value: bytes) -> str:
    """Without padding (RFC 4648, section 5)."""
    return urlsafe_b64encode(value).rstrip(b"=").decode("ascii")


@dataclass(frozen=True)
class Stamp:
    """Timestamp (unix ms) and nonce of a signature."""

    timestamp: int
    nonce: str


class Credentials(Protocol):
    """Adds the authentication of a client to the fields and headers of a request."""

    @property
    def headers(self) -> Mapping[str, str]: ...

    def fields(self, endpoint: str, fields: WireFields, stamp: Stamp) -> WireFields: ...


@dataclass(frozen=True)
class Bearer:
    """A bearer token, or no authentication."""

    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, token: str) -> Bearer:
        return cls({"authorization": f"Bearer {token}"})

    def fields(self, _endpoint: str, fields: WireFields, _stamp: Stamp) -> WireFields:
        return fields


class SigningKey:
    """An ed25519 key (RFC 8032) that signs the bodies of requests. `muse_id` is not set until the key is registered."""

    headers: Mapping[str, str] = {}

    def __init__(self, seed: bytes, tag: str, muse_id: str | None) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"An ed25519 seed has {SEED_BYTES} bytes.")
        self.seed = bytes(seed)
        self.muse_id = muse_id
        self._tag = tag
        self._key = Ed25519PrivateKey.from_private_bytes(self.seed)
        self.public_key = _base64url(self._key.public_key().public_bytes_raw())

    @staticmethod
    def new_seed() -> bytes:
        return secrets.token_bytes(SEED_BYTES)

    def sign(self, message: str | bytes) -> str:
        """Signs any text, base64url. Used for proofs."""
        return _base64url(self._key.sign(message.encode() if isinstance(message, str) else message))

    def fields(self, endpoint: str, fields: WireFields, stamp: Stamp) -> WireFields:
        """Adds the signature. An unregistered key signs without a muse_id."""
        is_registered = self.muse_id is not None and endpoint not in SIGNED_BY_NEW_KEY
        identified: WireFields = {**fields, "muse_id": self.muse_id or ""} if is_registered else fields
        muse_id = signer_of(endpoint, identified)
        if muse_id == "":
            raise ValueError("This key has no identity yet: register it, or set muse_id.")
        timestamp = str(stamp.timestamp)
        message = signed_message(
            tag=self._tag, endpoint=endpoint, timestamp=timestamp, nonce=stamp.nonce, muse_id=muse_id, fields=fields
        )
        return {**identified, "timestamp": timestamp, "nonce": stamp.nonce, "signature": self.sign(message)}


def key_proof(muse_id: str, public_key: str) -> str:
    """Text that a new key signs to prove that its holder binds it."""
    return f"service-key-v1\n{muse_id}\n{public_key}"


def recovery_proof(muse_id: str, public_key: str) -> str:
    """Text that a recovery key signs to prove that its holder names it."""
    return f"service-recovery-v1\n{muse_id}\n{public_key}"


def is_instant_challenge(text: str, task: int, muse_id: str) -> bool:
    """Whether a text is the challenge of this task for this muse, and cannot be any other message."""
    head = f"service-instant-v1\n{task}\n{muse_id}\n"
    return text.startswith(head) and "\n" not in text[len(head) :]
