"""Requests and answers, without signatures, payments or repetition."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2

from .errors import ConnectionLost
from .flow import Outgoing, Reply
from .options import CommonOptions

# Maximum size of an answer. The longest page of events is far smaller.
ANSWER_BYTES_MAX = 64 * 1024 * 1024
# Statuses of a proxy that got no answer from the service.
_GATEWAY_FAILURES = frozenset({502, 503, 504})


class Target:
    def __init__(self, base_url: str, options: CommonOptions) -> None:
        self._base_url = base_url.rstrip("/")
        self.timeout_seconds = options.request_timeout_seconds

    def url(self, outgoing: Outgoing) -> str:
        return f"{self._base_url}{outgoing.path}"

    def request(self, outgoing: Outgoing) -> dict[str, Any]:
        """Arguments of `stream`. Redirects are not followed."""
        return {
            "method": outgoing.method,
            "url": self.url(outgoing),
            "headers": outgoing.headers,
            "content": outgoing.body,
            "timeout": self.timeout_seconds,
            "follow_redirects": False,
        }


class Answer:
    """Collects the parts of one answer. `result` is `ConnectionLost` without a complete answer."""

    result: Reply | ConnectionLost

    def __init__(self, target: Target, outgoing: Outgoing) -> None:
        self._name = f"{outgoing.method} {target.url(outgoing)}"
        # httpx2 only bounds the wait for each part.
        self._until = time.monotonic() + target.timeout_seconds
        self._parts = bytearray()

    @contextmanager
    def reading(self) -> Iterator[None]:
        try:
            yield
        except ConnectionLost as error:
            self.result = error
        # UnicodeDecodeError, for an answer that is not text, is a ValueError.
        except (httpx2.RequestError, ValueError) as error:
            self.result = ConnectionLost(f"{self._name} got no answer: {error or type(error).__name__}")
            self.result.__cause__ = error

    def add(self, part: bytes) -> None:
        self._parts += part
        if len(self._parts) > ANSWER_BYTES_MAX:
            raise ConnectionLost(f"The answer is larger than {ANSWER_BYTES_MAX} bytes.")
        if time.monotonic() > self._until:
            raise ConnectionLost("The answer did not end in time.")

    def end(self, response: httpx2.Response) -> None:
        status = response.status_code
        body = _object(bytes(self._parts))
        if body is None and (status == 200 or status in _GATEWAY_FAILURES):
            raise ConnectionLost(f"The answer ({status}) is not a JSON object.")
        self.result = Reply(status, {name.lower(): value for name, value in response.headers.items()}, body or {})


def _object(text: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    # RecursionError: the answer is nested too deeply.
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
