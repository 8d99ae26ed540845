"""Options of the clients."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import httpx2

from .known_tokens import KNOWN_TOKENS
from .retry import RetryBounds
from .seen_positions import SeenPositions
from .spending import SpendingCap

if TYPE_CHECKING:
    from eth_account.signers.base import BaseAccount

MESSAGE_TAG = "service-v1"
# Longer than the 20 s wait for a settlement and the 25 s of a waiting read.
REQUEST_TIMEOUT_SECONDS = 30.0


@dataclass(frozen=True)
class CommonOptions:
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
    # By default all clients of one service address share it.
    seen: SeenPositions | None = None
    # Unix time in seconds.
    now: Callable[[], float] = time.time


@dataclass(frozen=True)
class ClientOptions(CommonOptions):
    # A client of your own, for example with a proxy or certificates. You close it.
    http: httpx2.Client | None = None
    # Waits for seconds.
    sleep: Callable[[float], object] = time.sleep


@dataclass(frozen=True)
class AsyncClientOptions(CommonOptions):
    # A client of your own, for example with a proxy or certificates. You close it.
    http: httpx2.AsyncClient | None = None
    # Waits for seconds.
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
