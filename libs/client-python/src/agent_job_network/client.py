"""Clients of an Agent Job Network."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import httpx2
from typing_extensions import Self, Unpack

from .exchange import Exchange, ExchangeDependencies, Kind
from .inbox_items import WAIT_SECONDS, inbox_items
from .keys import Bearer, Credentials, SigningKey, is_instant_challenge, key_proof
from .known_tokens import KNOWN_TOKENS
from .new_key import bind_key
from .operations import (
    IdentityAnswer,
    IdentityFields,
    InboxAnswerItems,
    InstantTask,
    MuseAnswer,
    Operations,
    QuickstartAnswer,
    QuickstartFields,
    Reads,
    RegisterAnswer,
    RegisterFields,
)
from .payer import Payer
from .performing import call_of
from .retry import RetryBounds
from .seen_positions import SeenPositions
from .service_clock import ServiceClock
from .spending import Spending, SpendingCap
from .transport import Transport

if TYPE_CHECKING:
    from eth_account.signers.base import BaseAccount

MESSAGE_TAG = "service-v1"
# Longer than the 20 s wait for a settlement and the 25 s of a waiting read.
REQUEST_TIMEOUT_SECONDS = 30.0


@dataclass(frozen=True)
class ClientOptions:
    # An eth-account account, or a private key (0x and 64 hex digits). Without a wallet the client never pays.
    wallet: str | BaseAccount | None = None
    spending_cap_usd: SpendingCap = SpendingCap()
    # Rails to pay on, preferred first.
    rails: Sequence[str] = tuple(token.rail for token in KNOWN_TOKENS)
    retry: RetryBounds = RetryBounds()
    request_timeout_seconds: float = REQUEST_TIMEOUT_SECONDS
    # First line of signed messages (`MESSAGE_TAG` of the service).
    tag: str = MESSAGE_TAG
    # Public address of the service (`BASE_URL`), if this client uses another one.
    origin: str | None = None
    # Share it between clients that must see each other's writes.
    seen: SeenPositions | None = None
    # A client of your own, for example with a proxy or certificates. You close it.
    http: httpx2.Client | None = None
    # Unix time in seconds, and a function that waits for seconds.
    now: Callable[[], float] = time.time
    sleep: Callable[[float], object] = time.sleep


class _Connected:
    """Context manager that closes its connections."""

    def __init__(self, dependencies: ExchangeDependencies, http: httpx2.Client | None) -> None:
        """`http` is the connection pool to close; None if the caller owns it."""
        self._dependencies = dependencies
        self._http = http

    def _perform(self, kind: Kind, path: str, fields: Mapping[str, Any]) -> Any:
        return Exchange(call_of(kind, path, fields), self._dependencies).run()

    def close_connections(self) -> None:
        if self._http is not None:
            self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close_connections()


def _connect(
    base_url: str, credentials: Credentials, options: ClientOptions
) -> tuple[ExchangeDependencies, httpx2.Client | None]:
    """Returns the dependencies and, unless the caller owns it, the connection pool to close."""
    clock = ServiceClock(options.now)
    created = httpx2.Client() if options.http is None else None
    http = options.http or created
    assert http is not None
    dependencies = ExchangeDependencies(
        transport=Transport(base_url, http, options.request_timeout_seconds),
        credentials=credentials,
        origin=_origin_of(options.origin or base_url),
        payer=Payer(options.wallet, Spending(options.spending_cap_usd), clock, options.rails),
        clock=clock,
        seen=options.seen or SeenPositions(),
        bounds=options.retry,
        sleep=options.sleep,
    )
    return dependencies, created


def _origin_of(url: str) -> str:
    """Scheme, host and port, without the scheme's default port (RFC 6454)."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or parts.hostname is None:
        raise ValueError(f"{url!r} is not an http or https address.")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    is_default = parts.port is None or parts.port == {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" if is_default else f"{parts.scheme}://{host}:{parts.port}"


class NetworkReader(_Connected, Reads):
    """Public reads of the network, without a key."""

    def __init__(self, base_url: str, options: ClientOptions = ClientOptions()) -> None:
        super().__init__(*_connect(base_url, Bearer(), options))


class AgentClient(_Connected, Operations):
    """
    One agent of the network. Methods raise `ApiError` for a refusal, `ConnectionLost` if no answer came, and
    `PaymentDeclined` if the client does not pay. Create it with `quickstart`, `with_key` or `with_token`.
    """

    # Answer of `quickstart` with the token; None for other identities.
    welcome: QuickstartAnswer | None = None

    def __init__(
        self,
        dependencies: ExchangeDependencies,
        http: httpx2.Client | None,
        signing_key: SigningKey | None,
        muse_id: str | None,
        tag: str,
    ) -> None:
        super().__init__(dependencies, http)
        self._signing_key = signing_key
        self._id = muse_id
        self._tag = tag

    @classmethod
    def quickstart(
        cls, base_url: str, options: ClientOptions = ClientOptions(), **fields: Unpack[QuickstartFields]
    ) -> Self:
        """Creates an identity with a bearer token. The token is only in `welcome`."""
        # Both exchanges share one memory of positions.
        shared = replace(options, seen=options.seen or SeenPositions())
        dependencies, http = _connect(base_url, Bearer(), shared)
        try:
            welcome: QuickstartAnswer = Exchange(  # type: ignore[assignment]
                call_of("open", "/api/quickstart", fields), dependencies
            ).run()
        finally:
            if http is not None:
                http.close()
        client = cls.with_token(base_url, welcome["muse_id"], welcome["token"], shared)
        client.welcome = welcome
        return client

    @classmethod
    def with_key(
        cls,
        base_url: str,
        seed: bytes | Literal["new"],
        options: ClientOptions = ClientOptions(),
        *,
        muse_id: str | None = None,
    ) -> Self:
        """Signs with an ed25519 key: a seed of 32 bytes, or a new one. Without `muse_id`, call `register` first."""
        key = SigningKey(SigningKey.new_seed() if seed == "new" else seed, options.tag, muse_id)
        dependencies, http = _connect(base_url, key, options)
        return cls(dependencies, http, key, muse_id, options.tag)

    @classmethod
    def with_token(cls, base_url: str, muse_id: str, token: str, options: ClientOptions = ClientOptions()) -> Self:
        dependencies, http = _connect(base_url, Bearer.of(token), options)
        return cls(dependencies, http, None, muse_id, options.tag)

    @property
    def muse_id(self) -> str:
        """Raises ValueError before the key is registered."""
        if self._id is None:
            raise ValueError("This key has no identity yet: call register first.")
        return self._id

    @property
    def public_key(self) -> str | None:
        """Base64url; None for an identity with a token."""
        return self._signing_key.public_key if self._signing_key else None

    @property
    def seed(self) -> bytes | None:
        """Seed of the key; None for an identity with a token."""
        return self._signing_key.seed if self._signing_key else None

    def register(self, **fields: Unpack[RegisterFields]) -> RegisterAnswer:
        """Creates an identity for this client's key. The same key returns the same identity. Does not join."""
        answer: RegisterAnswer = self._with_own_key("/api/register", fields)
        return answer

    def identity(self, **fields: Unpack[IdentityFields]) -> IdentityAnswer:
        """Registers this client's key, joins and verifies the wallet in one paid request."""
        answer: IdentityAnswer = self._with_own_key("/api/identity", fields)
        return answer

    def _with_own_key(self, path: str, fields: Mapping[str, Any]) -> Any:
        key = self._require_key()
        answer = self._perform("write", path, {**fields, "public_key": key.public_key})
        self._id = key.muse_id = answer["muse_id"]
        return answer

    def _require_key(self) -> SigningKey:
        if self._signing_key is None:
            raise ValueError("This operation needs a client with a key.")
        return self._signing_key

    def sign_challenge(self, task: InstantTask) -> str:
        """
        Answers an instant task of the kind `signature`. Raises ValueError if the text is not this task's challenge
        for this muse: a signature over another text could be misused.
        """
        key = self._require_key()
        challenge = task["input"].get("challenge")
        if not isinstance(challenge, str) or not is_instant_challenge(challenge, task["id"], self.muse_id):
            raise ValueError("The text is not the challenge of this task for this muse, so it was not signed.")
        return key.sign(challenge)

    def with_new_key(self, seed: bytes | Literal["new"] = "new") -> AgentClient:
        """
        Replaces the key of this identity, or adds the first one: a seed of 32 bytes, or a new one. Returns the client
        for the new key over the same connections; this client can no longer act. Repeating it with the same key is
        safe. Raises `KeyInDoubt`, with that client as `next`, if it is unknown whether the key was bound.
        """
        muse_id = self.muse_id
        key = SigningKey(SigningKey.new_seed() if seed == "new" else seed, self._tag, muse_id)
        proof = key.sign(key_proof(muse_id, key.public_key))
        renewed = AgentClient(replace(self._dependencies, credentials=key), self._http, key, muse_id, self._tag)
        bind_key(lambda: self.key(public_key=key.public_key, proof=proof), renewed)
        return renewed

    def inbox_items(self, wait: int = WAIT_SECONDS) -> Iterator[InboxAnswerItems]:
        """
        Iterates over inbox items, oldest first. Each page is marked as handed out after its last item. `wait` is the
        number of seconds that one request waits for new items; 0 ends after the present ones.
        """
        return inbox_items(self.inbox, wait)

    def own_profile(self) -> MuseAnswer:
        """Profile of this agent as others see it."""
        return self.muse(id=self.muse_id)
