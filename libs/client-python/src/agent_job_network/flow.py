"""Operations as generators: they yield requests and waits, which a client carries out blocking or asynchronously."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Reply:
    status: int
    # Names are in lower case.
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass(frozen=True)
class Outgoing:
    method: Literal["GET", "POST"]
    path: str
    headers: Mapping[str, str]
    body: bytes | None = None


@dataclass(frozen=True)
class Wait:
    seconds: float


# Receives a `Reply` or `ConnectionLost` for a request, and None after a wait.
Flow: TypeAlias = Generator[Outgoing | Wait, Any, T]
