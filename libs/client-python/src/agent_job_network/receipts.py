"""Verifies the signed receipts of payments."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NoReturn, Protocol
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

# A payment's stream has a handful of events.
_EVENTS_MAX = 1_000
_TEXTS = ("network", "resourceUrl", "payer", "transaction", "payment", "eventDigest")
# Members of an event that its digest covers.
_ENVELOPE = frozenset(
    "actor at authorization based_on cause data decided_by id revision stream type version".split()
)
_SECOND_MS = 1_000


class InvalidReceipt(ValueError):
    """The service has not signed the receipt, or its log shows another payment."""


@dataclass(frozen=True)
class VerifiedReceipt:
    """Content of a signed receipt (x402 extension `offer-receipt`). `amount` is in smallest units."""

    network: str
    resource_url: str
    payer: str
    transaction: str
    issued_at: int
    """Unix seconds."""
    payment: str
    """Key of the payment's stream in the log."""
    event_digest: str
    """Digest of the event `PaymentSettled`."""
    void: str | None
    """Why the payment had no effect, if it had none."""
    amount: str
    is_lost: bool
    """Whether a reorganisation of the chain later removed the transfer for ever."""


class ReceiptSource(Protocol):
    """A `NetworkReader` or `AgentClient`."""

    def issuer(self) -> Any: ...

    def events(self, *, stream: str | None = None, limit: int | None = None) -> Any: ...


class AsyncReceiptSource(Protocol):
    """An `AsyncNetworkReader` or `AsyncAgentClient`."""

    async def issuer(self) -> Any: ...

    async def events(self, *, stream: str | None = None, limit: int | None = None) -> Any: ...


def verify_receipt(service: ReceiptSource, jws: str) -> VerifiedReceipt:
    """
    Verifies a receipt (compact JWS) against the issuer keys and the event log of its service. Does not read the
    chain. Raises `InvalidReceipt`.
    """
    receipt = _verify_signature(jws, service.issuer()["keys"])
    return _compare(receipt, service.events(stream=_stream_of(receipt), limit=_EVENTS_MAX)["events"])


async def verify_receipt_async(service: AsyncReceiptSource, jws: str) -> VerifiedReceipt:
    """Does the same with an asynchronous client."""
    receipt = _verify_signature(jws, (await service.issuer())["keys"])
    return _compare(receipt, (await service.events(stream=_stream_of(receipt), limit=_EVENTS_MAX))["events"])


def _stream_of(receipt: Mapping[str, Any]) -> str:
    return f"payment-{receipt['payment']}"


def _verify_signature(jws: str, keys: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    parts = jws.split(".")
    header, receipt = (_decode(part) for part in (parts + ["", ""])[:2])
    if len(parts) > 3 or header is None or receipt is None:
        _fail("it is no compact JWS")
    kid = str(header.get("kid")).rpartition("#")[2]
    key = next((each for each in keys if each["kid"] == kid), None)
    if key is None:
        _fail(f"the service never had the key {kid}")
    if header.get("alg") != "EdDSA" or len(parts) != 3 or not _is_signed(key["public_key"], parts):
        _fail("its signature is wrong")
    if not _is_receipt(receipt):
        _fail("it is the signature of another document")
    until = key["until"]
    if until is not None and receipt["issuedAt"] * _SECOND_MS > until:
        _fail(f"it was issued after its key {kid} was retired")
    return receipt


def _compare(receipt: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> VerifiedReceipt:
    stream, digest = _stream_of(receipt), receipt["eventDigest"]
    settled = next((event for event in events if event["digest"] == digest), None)
    if settled is None:
        _fail(f"the log has no event with the digest {digest} in {stream}")
    _assert_digest(settled)
    accepted, applied = _data_of(events, "PaymentAccepted"), _data_of(events, "PaymentApplied")
    lost = _data_of(events, "PaymentLost", is_needed=False)
    _assert_equal("stream", stream, settled.get("stream"))
    _assert_equal("type", "PaymentSettled", settled["type"])
    _assert_equal("transaction", receipt["transaction"], (settled.get("data") or {}).get("tx"))
    _assert_equal("issuedAt", receipt["issuedAt"], settled["at"] // _SECOND_MS)
    _assert_equal("network", receipt["network"], f"eip155:{receipt['payment'].split(':')[0]}")
    _assert_equal("payer", receipt["payer"], accepted.get("payer"))
    _assert_equal("resourceUrl", urlsplit(receipt["resourceUrl"]).path, f"/api/{accepted.get('endpoint')}")
    _assert_equal("void", receipt.get("void"), applied.get("reason"))
    return VerifiedReceipt(
        network=receipt["network"],
        resource_url=receipt["resourceUrl"],
        payer=receipt["payer"],
        transaction=receipt["transaction"],
        issued_at=receipt["issuedAt"],
        payment=receipt["payment"],
        event_digest=digest,
        void=receipt.get("void"),
        amount=str(accepted.get("amount")),
        is_lost=lost.get("undone") is True,
    )


def _data_of(events: Sequence[Mapping[str, Any]], type: str, *, is_needed: bool = True) -> Mapping[str, Any]:
    event = next((each for each in reversed(events) if each["type"] == type), None)
    if event is None:
        return _fail(f"the log has no {type} of it") if is_needed else {}
    _assert_digest(event)
    return event.get("data") or {}


def _is_receipt(payload: Mapping[str, Any]) -> bool:
    if payload.get("version") != 1 or type(payload.get("issuedAt")) is not int:
        return False
    if not all(isinstance(payload.get(name), str) for name in _TEXTS):
        return False
    try:
        address = urlsplit(payload["resourceUrl"])
    except ValueError:
        return False
    return bool(address.scheme and address.netloc)


def _is_signed(public_key: str, parts: Sequence[str]) -> bool:
    try:
        key = Ed25519PublicKey.from_public_bytes(_of_base64url(public_key))
        key.verify(_of_base64url(parts[2]), f"{parts[0]}.{parts[1]}".encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def _of_base64url(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _decode(part: str) -> Mapping[str, Any] | None:
    try:
        value = json.loads(_of_base64url(part))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _assert_digest(event: Mapping[str, Any]) -> None:
    stored = {name: _sealed(value) for name, value in event.items() if name in _ENVELOPE}
    if sha256(_canonical(stored).encode("utf-8", "surrogatepass")).hexdigest() != event["digest"]:
        _fail(f"the digest of the event {event.get('id')} is wrong")


def _sealed(value: Any) -> Any:
    """Leaves readable forms of sealed values out, which are not stored."""
    if isinstance(value, list):
        return [_sealed(each) for each in value]
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("sealed"), str):
        return {"sealed": value["sealed"]}
    return {name: _sealed(each) for name, each in value.items()}


def _canonical(value: Any) -> str:
    """Canonical JSON (RFC 8785) of values without fractions: members in the order of their UTF-16 units."""
    if isinstance(value, list):
        return f"[{','.join(map(_canonical, value))}]"
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return f"{{{','.join(f'{_text(name)}:{_canonical(value[name])}' for name in names)}}}"
    return _text(value)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _assert_equal(name: str, said: object, logged: object) -> None:
    if said != logged:
        _fail(f"its {name} is {said}, and that of the log {logged}")


def _fail(reason: str) -> NoReturn:
    raise InvalidReceipt(f"The receipt is not valid: {reason}.")
