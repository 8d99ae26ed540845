"""A scripted service that records its requests."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, TypeAlias

from agent_job_network import KNOWN_TOKENS
from clients import AgentClient, ClientOptions

NOW = 1_764_000_000_000
MUSE = "agent_0123456789"
SEED = bytes([7] * 32)
# A key of an account without money.
WALLET = f"0x{'11' * 32}"
PAYEE = "0x2222222222222222222222222222222222222222"


@dataclass(frozen=True)
class Seen:
    """A received request; names of headers are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    text: bytes

    @property
    def body(self) -> dict[str, str]:
        body: dict[str, str] = json.loads(self.text or b"{}")
        return body

    @property
    def payment(self) -> dict[str, Any]:
        payment: dict[str, Any] = json.loads(b64decode(self.headers["payment-signature"]))
        return payment


@dataclass(frozen=True)
class Answer:
    status: int
    text: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


# An answer to one request, or a broken connection.
LOST = None
Step: TypeAlias = "Answer | None"
Script: TypeAlias = "Sequence[Step] | Callable[[Seen], Step]"


def ok(body: Mapping[str, object] | None = None, headers: Mapping[str, str] | None = None) -> Answer:
    return Answer(200, json.dumps({"ok": True, **(body or {})}).encode(), headers or {})


def refused(
    status: int, code: str, more: Mapping[str, object] | None = None, headers: Mapping[str, str] | None = None
) -> Answer:
    refusal = {"ok": False, "error": f"Refused: {code}.", "code": code, "retryable": status in (429, 503)}
    return Answer(status, json.dumps({**refusal, **(more or {})}).encode(), headers or {})


def entry(rail: str, amount: str, **changes: object) -> dict[str, object]:
    token = next(token for token in KNOWN_TOKENS if token.rail == rail)
    offered = {"scheme": "exact", "network": token.network, "amount": amount, "asset": token.asset, "payTo": PAYEE}
    extra = {"name": token.name, "version": token.version}
    return {**offered, "maxTimeoutSeconds": 300, "extra": extra, **changes}


def base64(value: object) -> str:
    return b64encode(json.dumps(value).encode()).decode()


def offered(
    accepts: Sequence[object], code: str = "payment_required", headers: Mapping[str, str] | None = None
) -> Answer:
    """A 402 with an offer of version 2."""
    resource = {"url": "http://service.test/api/job", "description": "A job.", "mimeType": "application/json"}
    offer = {"x402Version": 2, "error": code, "resource": resource, "accepts": accepts, "extensions": {"a": {"b": 1}}}
    sent = {"payment-required": base64(offer), **(headers or {})}
    return refused(402, code, {"x402Version": 1, "accepts": []}, sent)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_any(self) -> None:
        text = self.rfile.read(int(self.headers.get("content-length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        step = self.server.step(Seen(self.command, self.path, headers, text))  # type: ignore[attr-defined]
        if step is LOST:
            self.close_connection = True
            return
        self.send_response(step.status)
        for name, value in {"content-length": str(len(step.text)), "connection": "close", **step.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(step.text)

    do_GET = do_POST = handle_any

    def log_message(self, *_: object) -> None:
        pass


class ScriptedService(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[Seen] = []
        self.steps = [] if callable(script) else list(script)
        self.decide = script if callable(script) else self.next_step

    def next_step(self, _seen: Seen) -> Step:
        return self.steps.pop(0) if self.steps else refused(500, "script_ended")

    def step(self, seen: Seen) -> Step:
        self.seen.append(seen)
        return self.decide(seen)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def against(script: Script) -> Iterator[ScriptedService]:
    """
    A service with one step per request, all of which must be used, or with a function that answers each request.
    """
    with ScriptedService(script) as service:
        thread = Thread(target=service.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield service
            assert not service.steps, f"{len(service.steps)} steps of the script were not asked for."
        finally:
            service.shutdown()
            thread.join()


class FakeTime:
    """A clock that advances by the client's waits, in unix ms and seconds."""

    def __init__(self) -> None:
        self.now_ms = NOW
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now_ms += round(seconds * 1000)

    def options(self, **more: Any) -> ClientOptions:
        return ClientOptions(**{"now": lambda: self.now_ms / 1000, "sleep": self.sleep, **more})


def keyed(service: ScriptedService, options: ClientOptions | None = None) -> AgentClient:
    return AgentClient.with_key(service.url, SEED, options or FakeTime().options(), muse_id=MUSE)


def tokened(service: ScriptedService, options: ClientOptions | None = None) -> AgentClient:
    return AgentClient.with_token(service.url, MUSE, "service_tok_test", options or FakeTime().options())


JOB = {
    "title": "Translate",
    "summary": "One page into French, please.",
    "done": "the page reads well",
    "budget_usd": "10",
}


def post_job(agent: AgentClient) -> Mapping[str, Any]:
    return agent.job(
        title=JOB["title"], summary=JOB["summary"], done=JOB["done"], budget_usd=JOB["budget_usd"]
    )
