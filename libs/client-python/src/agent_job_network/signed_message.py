"""The signed text, `service-v1`."""

from __future__ import annotations

import re
from collections.abc import Mapping

# Another name could pose as a value or as a separate line.
_FIELD_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
# Members of a body that are never signed.
_NOT_SIGNED = frozenset({"signature", "timestamp", "nonce", "muse_id", "x402_payment"})
# Endpoints that sign with an unregistered key: their fifth line is that key.
SIGNED_BY_NEW_KEY = frozenset({"register", "identity"})


class Unsignable(ValueError):
    """A field that cannot be signed. `code` is the service's code: `field_name`, or the field's name."""

    def __init__(self, code: str, field: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.field = field


def signer_of(endpoint: str, fields: Mapping[str, str | None]) -> str:
    """Returns the fifth line: the muse_id, or the new public key for endpoints that sign with one."""
    return fields.get("public_key" if endpoint in SIGNED_BY_NEW_KEY else "muse_id") or ""


def signed_message(
    *, tag: str, endpoint: str, timestamp: str, nonce: str, muse_id: str, fields: Mapping[str, str | None]
) -> str:
    """
    Returns the text whose UTF-8 bytes are signed: tag, endpoint (the last word of the path), timestamp (unix ms),
    nonce, muse_id (for `register` and `identity` the new public key) and one line for every field, joined by LF.
    `fields` may be the whole body: members that are never signed are skipped. Raises `Unsignable`.
    """
    head = {"tag": tag, "endpoint": endpoint, "timestamp": timestamp, "nonce": nonce, "muse_id": muse_id}
    for name, value in head.items():
        if "\n" in value:
            raise Unsignable(name, name, f"`{name}` must be a single line.")
    names = [name for name in fields if name not in _NOT_SIGNED]
    for name in names:
        if not _FIELD_NAME.fullmatch(name):
            raise Unsignable("field_name", name, "A field has a name that cannot be signed.")
    # Names are ASCII here, so code points sort like bytes.
    return "\n".join([*head.values(), *(_line(name, fields[name] or "") for name in sorted(names))])


def _line(name: str, value: str) -> str:
    """`name:length:value`; the length is in UTF-8 bytes."""
    try:
        return f"{name}:{len(value.encode())}:{value}"
    except UnicodeEncodeError as error:
        raise Unsignable(name, name, f"`{name}` must be well-formed Unicode.") from error
