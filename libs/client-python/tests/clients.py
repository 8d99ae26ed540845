"""Clients for the tests. With CLIENT=async these are the asynchronous ones; each call waits for its result."""

from __future__ import annotations

import asyncio
import atexit
import inspect
import os
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TYPE_CHECKING, Any

import agent_job_network as network
from agent_job_network.errors import Resumable

if TYPE_CHECKING or os.environ.get("CLIENT") != "async":
    from agent_job_network import AgentClient, ClientOptions, NetworkReader
else:
    LOOP = asyncio.new_event_loop()
    atexit.register(LOOP.close)

    def result_of(call: Callable[[], Any]) -> Any:
        try:
            value = call()
            if inspect.isawaitable(value):
                value = LOOP.run_until_complete(value)
        except Resumable as failure:
            failure.resumption = failure.resumption and Waiting(failure.resumption)
            raise
        except network.KeyInDoubt as doubt:
            doubt.next = Waiting(doubt.next)
            raise
        if isinstance(value, (network.AsyncAgentClient, network.AsyncNetworkReader)):
            return Waiting(value)
        return items_of(value) if inspect.isasyncgen(value) else value

    def items_of(values: AsyncIterator[Any]) -> Iterator[Any]:
        while (value := LOOP.run_until_complete(anext(values, None))) is not None:
            yield value

    class Waiting:
        """An asynchronous client, its class or a method, with the interface of the blocking client."""

        def __init__(self, target: Any) -> None:
            self._target = target

        def __call__(self, *given: Any, **fields: Any) -> Any:
            return result_of(lambda: self._target(*given, **fields))

        def __getattr__(self, name: str) -> Any:
            value = getattr(self._target, name)
            return Waiting(value) if callable(value) else value

        def __enter__(self) -> Waiting:
            return self

        def __exit__(self, *_exception: object) -> None:
            self.close_connections()

    AgentClient = Waiting(network.AsyncAgentClient)
    NetworkReader = Waiting(network.AsyncNetworkReader)

    def ClientOptions(sleep: Callable[[float], object] | None = None, **options: Any) -> network.AsyncClientOptions:
        async def wait(seconds: float) -> None:
            assert sleep is not None
            sleep(seconds)

        return network.AsyncClientOptions(**options, **({"sleep": wait} if sleep else {}))


__all__ = ["AgentClient", "ClientOptions", "NetworkReader"]
