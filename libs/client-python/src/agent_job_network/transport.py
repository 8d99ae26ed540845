"""Sends one request and reads one answer. Knows nothing of signatures, payments or repetition."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import httpx2

from .errors import ConnectionLost

# The largest answer that is read; the longest page of events stays far below.
ANSWER_BYTES_MAX = 64 * 1024 * 1024
# A proxy in front of the service says that nothing came back from it.
_GATEWAY_FAILURES = frozenset({502, 503, 504})


@dataclass(frozen=True)
class Reply:
    """One answer of the service."""

    status: int
    # Their names are in lower case.
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
        """Raises `ConnectionLost` where no whole answer came. A redirect is an answer like another, not followed."""
        url = f"{self.base_url}{outgoing.path}"
        try:
            return self._exchange(outgoing, url)
        # A UnicodeDecodeError is a ValueError: an answer that is no text is none.
        except (httpx2.RequestError, ValueError) as error:
            raise ConnectionLost(f"{outgoing.method} {url} got no answer: {error or type(error).__name__}") from error

    def _exchange(self, outgoing: Outgoing, url: str) -> Reply:
        # What httpx2 bounds is each wait for a part; the whole answer has the same bound.
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
        raise ConnectionLost(f"The answer ({status}) is no JSON object.")
    return Reply(status, headers, {})


def _object(text: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    # A RecursionError is what an answer nested too deeply ends in.
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
