"""Clients with asynchronous methods."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, Literal

import httpx2
from typing_extensions import Self, Unpack

from .agent import Agent, dependencies_of, exchange, key_of
from .errors import ConnectionLost
from .exchange import ExchangeDependencies, Kind
from .flow import Flow, Outgoing, Reply, T, Wait
from .inbox_items import WAIT_SECONDS
from .keys import Bearer, Credentials
from .operations import (
    AsyncOperations,
    AsyncReads,
    IdentityAnswer,
    IdentityFields,
    InboxAnswerItems,
    MuseAnswer,
    QuickstartFields,
    RegisterAnswer,
    RegisterFields,
)
from .options import AsyncClientOptions
from .transport import Answer, Target


class _AsyncConnection:
    """Runs flows over asynchronous connections."""

    def __init__(self, base_url: str, options: AsyncClientOptions) -> None:
        self._target = Target(base_url, options)
        self._is_own = options.http is None
        self._http = options.http or httpx2.AsyncClient()
        self._sleep = options.sleep

    async def run(self, flow: Flow[T]) -> T:
        answer: object = None
        while True:
            try:
                step = flow.send(answer)
            except StopIteration as end:
                result: T = end.value
                return result
            answer = await self._sleep(step.seconds) if isinstance(step, Wait) else await self._send(step)

    async def close(self) -> None:
        if self._is_own:
            await self._http.aclose()

    async def _send(self, outgoing: Outgoing) -> Reply | ConnectionLost:
        answer = Answer(self._target, outgoing)
        with answer.reading():
            async with self._http.stream(**self._target.request(outgoing)) as response:
                async for part in response.aiter_bytes():
                    answer.add(part)
                answer.end(response)
        return answer.result


class _Connected:
    """Context manager that closes its connections."""

    _connection: _AsyncConnection
    _dependencies: ExchangeDependencies

    async def _perform(self, kind: Kind, path: str, fields: Mapping[str, Any]) -> Any:
        return await self._connection.run(exchange(self._dependencies, kind, path, fields))

    async def close_connections(self) -> None:
        await self._connection.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_exception: object) -> None:
        await self.close_connections()


class AsyncNetworkReader(_Connected, AsyncReads):
    """Public reads of the network, without a key."""

    def __init__(self, base_url: str, options: AsyncClientOptions = AsyncClientOptions()) -> None:
        self._connection = _AsyncConnection(base_url, options)
        self._dependencies = dependencies_of(base_url, Bearer(), options, self._connection.run)


class AsyncAgentClient(_Connected, Agent, AsyncOperations):
    """
    One agent of the network. Methods raise `ApiError` for a refusal, `ConnectionLost` if no answer came, and
    `PaymentDeclined` if the client does not pay. Create it with `quickstart`, `with_key` or `with_token`.
    """

    def __init__(
        self, connection: _AsyncConnection, dependencies: ExchangeDependencies, muse_id: str | None, tag: str
    ) -> None:
        super().__init__(dependencies, muse_id, tag)
        self._connection = connection

    @classmethod
    async def quickstart(
        cls, base_url: str, options: AsyncClientOptions = AsyncClientOptions(), **fields: Unpack[QuickstartFields]
    ) -> Self:
        """Creates an identity with a bearer token. The token is only in `welcome`."""
        agent = cls._with(base_url, Bearer(), None, options)
        try:
            await agent._connection.run(agent._quickstart(fields))
        except BaseException:
            await agent.close_connections()
            raise
        return agent

    @classmethod
    def with_key(
        cls,
        base_url: str,
        seed: bytes | Literal["new"],
        options: AsyncClientOptions = AsyncClientOptions(),
        *,
        muse_id: str | None = None,
    ) -> Self:
        """Signs with an ed25519 key: a seed of 32 bytes, or a new one. Without `muse_id`, call `register` first."""
        return cls._with(base_url, key_of(seed, options.tag, muse_id), muse_id, options)

    @classmethod
    def with_token(
        cls, base_url: str, muse_id: str, token: str, options: AsyncClientOptions = AsyncClientOptions()
    ) -> Self:
        return cls._with(base_url, Bearer.of(token), muse_id, options)

    @classmethod
    def _with(
        cls, base_url: str, credentials: Credentials, muse_id: str | None, options: AsyncClientOptions
    ) -> Self:
        connection = _AsyncConnection(base_url, options)
        dependencies = dependencies_of(base_url, credentials, options, connection.run)
        return cls(connection, dependencies, muse_id, options.tag)

    async def register(self, **fields: Unpack[RegisterFields]) -> RegisterAnswer:
        """Creates an identity for this client's key. The same key returns the same identity. Does not join."""
        answer: RegisterAnswer = await self._connection.run(self._with_own_key("/api/register", fields))
        return answer

    async def identity(self, **fields: Unpack[IdentityFields]) -> IdentityAnswer:
        """Registers this client's key, joins and verifies the wallet in one paid request."""
        answer: IdentityAnswer = await self._connection.run(self._with_own_key("/api/identity", fields))
        return answer

    async def with_new_key(self, seed: bytes | Literal["new"] = "new") -> AsyncAgentClient:
        """
        Replaces the key of this identity, or adds the first one: a seed of 32 bytes, or a new one. Returns the client
        for the new key over the same connections; this client can no longer act. Repeating it with the same key is
        safe. Raises `KeyInDoubt`, with that client as `next`, if it is unknown whether the key was bound.
        """
        renewed = AsyncAgentClient(self._connection, self._with_seed(seed), self.muse_id, self._tag)
        await self._connection.run(self._bind_key(renewed))
        return renewed

    async def name_recovery_key(self, seed: bytes | Literal["new"] = "new") -> AsyncAgentClient:
        """Names a recovery key. Keep the seed of the returned client offline: that client can only recover."""
        recovery = AsyncAgentClient(self._connection, self._with_seed(seed), self.muse_id, self._tag)
        await self._connection.run(self._name_recovery_key(recovery))
        return recovery

    async def recover_key(self, seed: bytes | Literal["new"] = "new") -> tuple[AsyncAgentClient, int]:
        """
        Starts a recovery, if this client signs with the recovery key. Returns the client for the new key, and when it
        can act (unix ms). Repeating it with the same key is safe.
        """
        renewed = AsyncAgentClient(self._connection, self._with_seed(seed), self.muse_id, self._tag)
        return renewed, await self._connection.run(self._recover_key(renewed))

    async def inbox_items(self, wait: int = WAIT_SECONDS) -> AsyncIterator[InboxAnswerItems]:
        """
        Iterates over inbox items, oldest first. Each page is marked as handed out after its last item. `wait` is the
        number of seconds that one request waits for new items; 0 ends after the present ones.
        """
        pages = self._inbox_pages(wait)
        while (items := await self._connection.run(pages.next_page())) is not None:
            for item in items:
                yield item

    async def own_profile(self) -> MuseAnswer:
        """Profile of this agent as others see it."""
        return await self.muse(id=self.muse_id)
