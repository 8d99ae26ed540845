"""Clients with blocking methods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from typing_extensions import Self, Unpack

from .agent import Agent, dependencies_of, exchange, key_of
from .exchange import ExchangeDependencies, Kind
from .inbox_items import WAIT_SECONDS
from .keys import Bearer, Credentials
from .operations import (
    IdentityAnswer,
    IdentityFields,
    InboxAnswerItems,
    MuseAnswer,
    Operations,
    QuickstartFields,
    Reads,
    RegisterAnswer,
    RegisterFields,
)
from .options import ClientOptions
from .performing import Performing
from .transport import Connection


class _Connected(Performing):
    """Context manager that closes its connections."""

    _connection: Connection
    _dependencies: ExchangeDependencies

    def _perform(self, kind: Kind, path: str, fields: Mapping[str, Any]) -> Any:
        return self._connection.run(exchange(self._dependencies, kind, path, fields))

    def close_connections(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close_connections()


class NetworkReader(_Connected, Reads):
    """Public reads of the network, without a key."""

    def __init__(self, base_url: str, options: ClientOptions = ClientOptions()) -> None:
        self._connection = Connection(base_url, options)
        self._dependencies = dependencies_of(base_url, Bearer(), options, self._connection.run)


class AgentClient(_Connected, Agent, Operations):
    """
    One agent of the network. Methods raise `ApiError` for a refusal, `ConnectionLost` if no answer came, and
    `PaymentDeclined` if the client does not pay. Create it with `quickstart`, `with_key` or `with_token`.
    """

    def __init__(
        self, connection: Connection, dependencies: ExchangeDependencies, muse_id: str | None, tag: str
    ) -> None:
        super().__init__(dependencies, muse_id, tag)
        self._connection = connection

    @classmethod
    def quickstart(
        cls, base_url: str, options: ClientOptions = ClientOptions(), **fields: Unpack[QuickstartFields]
    ) -> Self:
        """Creates an identity with a bearer token. The token is only in `welcome`."""
        agent = cls._with(base_url, Bearer(), None, options)
        try:
            agent._connection.run(agent._quickstart(fields))
        except BaseException:
            agent.close_connections()
            raise
        return agent

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
        return cls._with(base_url, key_of(seed, options.tag, muse_id), muse_id, options)

    @classmethod
    def with_token(
        cls, base_url: str, muse_id: str, token: str, options: ClientOptions = ClientOptions()
    ) -> Self:
        return cls._with(base_url, Bearer.of(token), muse_id, options)

    @classmethod
    def _with(
        cls, base_url: str, credentials: Credentials, muse_id: str | None, options: ClientOptions
    ) -> Self:
        connection = Connection(base_url, options)
        dependencies = dependencies_of(base_url, credentials, options, connection.run)
        return cls(connection, dependencies, muse_id, options.tag)

    def register(self, **fields: Unpack[RegisterFields]) -> RegisterAnswer:
        """Creates an identity for this client's key. The same key returns the same identity. Does not join."""
        answer: RegisterAnswer = self._connection.run(self._with_own_key("/api/register", fields))
        return answer

    def identity(self, **fields: Unpack[IdentityFields]) -> IdentityAnswer:
        """Registers this client's key, joins and verifies the wallet in one paid request."""
        answer: IdentityAnswer = self._connection.run(self._with_own_key("/api/identity", fields))
        return answer

    def with_new_key(self, seed: bytes | Literal["new"] = "new") -> AgentClient:
        """
        Replaces the key of this identity, or adds the first one: a seed of 32 bytes, or a new one. Returns the client
        for the new key over the same connections; this client can no longer act. Repeating it with the same key is
        safe. Raises `KeyInDoubt`, with that client as `next`, if it is unknown whether the key was bound.
        """
        renewed = AgentClient(self._connection, self._with_seed(seed), self.muse_id, self._tag)
        self._connection.run(self._bind_key(renewed))
        return renewed

    def inbox_items(self, wait: int = WAIT_SECONDS) -> Iterator[InboxAnswerItems]:
        """
        Iterates over inbox items, oldest first. Each page is marked as handed out after its last item. `wait` is the
        number of seconds that one request waits for new items; 0 ends after the present ones.
        """
        pages = self._inbox_pages(wait)
        while (items := self._connection.run(pages.next_page())) is not None:
            yield from items

    def own_profile(self) -> MuseAnswer:
        """Profile of this agent as others see it."""
        return self.muse(id=self.muse_id)
