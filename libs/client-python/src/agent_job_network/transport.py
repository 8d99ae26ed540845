"""Sends one request and reads one answer, without signatures, payments or repetition."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import httpx2

from .errors import ConnectionLost

# Maximum size of an answer. The longest page of events is far smaller.
ANSWER_BYTES_MAX = 64 * 1024 * 1024
# Statuses of a proxy that got no answer from the service.
_GATEWAY_FAILURES = frozenset({502, 503, 504})


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


class Transport:
    def __init__(self, base_url: str, client: httpx2.Client, timeout_seconds: float) -> None:
        self.base_url = base_url.rstrip("/")
        self._client = client
        self._timeout_seconds = timeout_seconds

    def send(self, outgoing: Outgoing) -> Reply:
        """Raises `ConnectionLost` without a complete answer. Does not follow redirects."""
        url = f"{self.base_url}{outgoing.path}"
        try:
            return self._exchange(outgoing, url)
        # UnicodeDecodeError, for an answer that is not text, is a ValueError.
        except (httpx2.RequestError, ValueError) as error:
            raise ConnectionLost(f"{outgoing.method} {url} got no answer: {error or type(error).__name__}") from error

    def _exchange(self, outgoing: Outgoing, url: str) -> Reply:
        # httpx2 only bounds the wait for each part.
        until = time.monotonic() + self._timeout_seconds
        with self._client.stream(
            outgoing.method,
            url,
            headers=outgoing.headers,
            content=outgoing.body,
            timeout=self._timeout_seconds,
            follow_redirects=False,
        ) as response:
            headers = {name.lower(): value for name, value in response.headers.items()}
            return _reply(response.status_code, headers, _read(response, until))


def _read(response: httpx2.Response, until: float) -> bytes:
    parts = bytearray()
    for part in response.iter_bytes():
        parts += part
        if len(parts) > ANSWER_BYTES_MAX:
            raise ConnectionLost(f"The answer is larger than {ANSWER_BYTES_MAX} bytes.")
        if time.monotonic() > until:
            raise ConnectionLost("The answer did not end in time.")
    return bytes(parts)


def _reply(status: int, headers: Mapping[str, str], text: bytes) -> Reply:
    body = _object(text)
    if body is not None:
        return Reply(status, headers, body)
    if status == 200 or status in _GATEWAY_FAILURES:
        raise ConnectionLost(f"The answer ({status}) is not a JSON object.")
    return Reply(status, headers, {})


def _object(text: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    # RecursionError: the answer is nested too deeply.
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
