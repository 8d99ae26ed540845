"""State and operations that blocking and asynchronous clients share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal
from urllib.parse import urlsplit

from .exchange import Call, Exchange, ExchangeDependencies, Kind
from .flow import Flow
from .inbox_items import InboxPages
from .keys import Bearer, Credentials, SigningKey, is_instant_challenge, key_proof, recovery_proof
from .new_key import bind_key
from .operations import InstantTask, QuickstartAnswer
from .options import CommonOptions
from .payer import Payer
from .seen_positions import seen_positions_of
from .service_clock import ServiceClock
from .spending import Spending
from .wire import read_path, wire_fields


def dependencies_of(
    base_url: str, credentials: Credentials, options: CommonOptions, run: Callable[[Flow[Any]], Any]
) -> ExchangeDependencies:
    clock = ServiceClock(options.now)
    return ExchangeDependencies(
        credentials=credentials,
        origin=_origin_of(options.origin or base_url),
        payer=Payer(options.wallet, Spending(options.spending_cap_usd), clock, options.rails),
        clock=clock,
        seen=options.seen or seen_positions_of(_origin_of(base_url) + urlsplit(base_url).path.rstrip("/")),
        bounds=options.retry,
        run=run,
    )


def _origin_of(url: str) -> str:
    """Scheme, host and port, without the scheme's default port (RFC 6454)."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or parts.hostname is None:
        raise ValueError(f"{url!r} is not an http or https address.")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    is_default = parts.port is None or parts.port == {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" if is_default else f"{parts.scheme}://{host}:{parts.port}"


def exchange(dependencies: ExchangeDependencies, kind: Kind, path: str, fields: Mapping[str, Any]) -> Flow[Any]:
    values = wire_fields(fields)
    call = Call(kind, read_path(path, values), {}) if kind in ("read", "live") else Call(kind, path, values)
    return Exchange(call, dependencies).steps()


class Agent:
    """One agent of the network."""

    # Answer of `quickstart` with the token; None for other identities.
    welcome: QuickstartAnswer | None = None

    def __init__(self, dependencies: ExchangeDependencies, muse_id: str | None, tag: str) -> None:
        self._dependencies = dependencies
        self._id = muse_id
        self._tag = tag

    @property
    def muse_id(self) -> str:
        """Raises ValueError before the key is registered."""
        if self._id is None:
            raise ValueError("This key has no identity yet: call register first.")
        return self._id

    @property
    def public_key(self) -> str | None:
        """Base64url; None for an identity with a token."""
        key = self._signing_key
        return key.public_key if key else None

    @property
    def seed(self) -> bytes | None:
        """Seed of the key; None for an identity with a token."""
        key = self._signing_key
        return key.seed if key else None

    def sign_challenge(self, task: InstantTask) -> str:
        """
        Answers an instant task of the kind `signature`. Raises ValueError if the text is not this task's challenge
        for this muse: a signature over another text could be misused.
        """
        key = self._require_key()
        challenge = task["input"].get("challenge")
        if not isinstance(challenge, str) or not is_instant_challenge(challenge, task["id"], self.muse_id):
            raise ValueError("The text is not the challenge of this task for this agent, so it was not signed.")
        return key.sign(challenge)

    @property
    def _signing_key(self) -> SigningKey | None:
        credentials = self._dependencies.credentials
        return credentials if isinstance(credentials, SigningKey) else None

    def _require_key(self) -> SigningKey:
        key = self._signing_key
        if key is None:
            raise ValueError("This operation needs a client with a key.")
        return key

    def _exchange(self, kind: Kind, path: str, fields: Mapping[str, Any]) -> Flow[Any]:
        return exchange(self._dependencies, kind, path, fields)

    def _quickstart(self, fields: Mapping[str, Any]) -> Flow[None]:
        welcome: QuickstartAnswer = yield from self._exchange("open", "/api/quickstart", fields)
        self._dependencies = self._with_credentials(Bearer.of(welcome["token"]))
        self._id = welcome["muse_id"]
        self.welcome = welcome

    def _with_own_key(self, path: str, fields: Mapping[str, Any]) -> Flow[Any]:
        key = self._require_key()
        answer = yield from self._exchange("write", path, {**fields, "public_key": key.public_key})
        self._id = key.muse_id = answer["muse_id"]
        return answer

    def _with_credentials(self, credentials: Credentials) -> ExchangeDependencies:
        return replace(self._dependencies, credentials=credentials)

    def _with_seed(self, seed: bytes | Literal["new"]) -> ExchangeDependencies:
        return self._with_credentials(key_of(seed, self._tag, self.muse_id))

    def _send_key(self, path: str, other: Agent, proof_of: Callable[[str, str], str]) -> Flow[Any]:
        key = other._require_key()
        proof = key.sign(proof_of(self.muse_id, key.public_key))
        return self._exchange("write", path, {"public_key": key.public_key, "proof": proof})

    def _bind_key(self, renewed: Agent) -> Flow[None]:
        bind = self._send_key("/api/key", renewed, key_proof)
        return bind_key(bind, renewed._exchange("ask", "/api/whoami", {}), renewed)

    def _name_recovery_key(self, recovery: Agent) -> Flow[Any]:
        return self._send_key("/api/recovery", recovery, recovery_proof)

    def _recover_key(self, renewed: Agent) -> Flow[int]:
        answer = yield from self._send_key("/api/recover", renewed, key_proof)
        return int(answer["ends_at"])

    def _inbox_pages(self, wait: int) -> InboxPages:
        return InboxPages(partial(self._exchange, "ask", "/api/inbox"), wait)


def key_of(seed: bytes | Literal["new"], tag: str, muse_id: str | None) -> SigningKey:
    return SigningKey(SigningKey.new_seed() if seed == "new" else seed, tag, muse_id)
