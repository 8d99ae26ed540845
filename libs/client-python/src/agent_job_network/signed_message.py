"""The text that is signed, `service-v1`: the same for who signs and who checks."""

from __future__ import annotations

import re
from collections.abc import Mapping

# What a field may be called; any other name could pose as a value, or as a line of its own.
_FIELD_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
# Members of a request's body that are never among the signed lines.
_NOT_SIGNED = frozenset({"signature", "timestamp", "nonce", "muse_id", "x402_payment"})
# Endpoints that sign with a key nobody knows yet: their fifth line is that key.
SIGNED_BY_NEW_KEY = frozenset({"register", "identity"})


class Unsignable(ValueError):
    """A field that cannot be signed. `code` is what the service would answer: `field_name`, or the field's name."""

    def __init__(self, code: str, field: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.field = field


def signer_of(endpoint: str, fields: Mapping[str, str | None]) -> str:
    """Who stands in the fifth line: the muse, or the new public key where the endpoint signs with one."""
    return fields.get("public_key" if endpoint in SIGNED_BY_NEW_KEY else "muse_id") or ""


def signed_message(
    *, tag: str, endpoint: str, timestamp: str, nonce: str, muse_id: str, fields: Mapping[str, str | None]
) -> str:
    """
    The text whose UTF-8 bytes are signed: tag, endpoint (the last word of the path), timestamp (unix ms), nonce,
    muse_id (for `register` and `identity` the new public key) and one line for every field, joined by LF. `fields` may
    be the whole body: what is never signed is left out here. Raises `Unsignable`.
    """
    head = {"tag": tag, "endpoint": endpoint, "timestamp": timestamp, "nonce": nonce, "muse_id": muse_id}
    for name, value in head.items():
        if "\n" in value:
            raise Unsignable(name, name, f"{name} must be a single line.")
    names = [name for name in fields if name not in _NOT_SIGNED]
    for name in names:
        if not _FIELD_NAME.fullmatch(name):
            raise Unsignable("field_name", name, "A field has a name that cannot be signed.")
    # The names are ASCII by now, so the order of code points is the order of bytes.
    return "\n".join([*head.values(), *(_line(name, fields[name] or "") for name in sorted(names))])


def _line(name: str, value: str) -> str:
    """`name:length:value`; the length is in UTF-8 bytes."""
    try:
        return f"{name}:{len(value.encode())}:{value}"
    except UnicodeEncodeError as error:
        raise Unsignable(name, name, f"The field {name} must be well-formed Unicode.") from error
