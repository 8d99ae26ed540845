"""Binding of a new key that survives a lost answer."""

from __future__ import annotations

from typing import Any, Literal

from .errors import ApiError, ConnectionLost
from .flow import Flow
from .retry import is_repeatable

_UNAUTHORIZED = 401
_SERVER_ERROR = 500
# Codes for a signature whose key is not the identity's.
_WRONG_KEY_CODES = frozenset({"signature_mismatch", "no_key"})


class KeyInDoubt(Exception):
    """
    It is unknown whether the new key was bound. If it was, the old key has ended and only `next` can act: keep its
    `seed`. `__cause__` is the error of the request.
    """

    code: Literal["key_in_doubt"] = "key_in_doubt"

    def __init__(self, renewed: Any, cause: Exception) -> None:
        super().__init__(f"It is unknown whether the new key was bound. Keep the seed of `next`. {cause}")
        # Client with the new key, of the class whose method raised this.
        self.next = renewed


def bind_key(bind: Flow[Any], whoami: Flow[Any], renewed: object) -> Flow[None]:
    """
    Binds the key of `renewed`. Without a clear answer it asks with the new key: once bound, the old key gets a 401.
    Raises `ApiError` if the service refused, else `KeyInDoubt`.
    """
    try:
        yield from bind
    except (ApiError, ConnectionLost) as failure:
        if _is_refusal(failure):
            raise
        try:
            yield from whoami
        except (ApiError, ConnectionLost) as answer:
            if _is_unauthorized(failure) and _is_wrong_key(answer):
                raise failure from None
            raise KeyInDoubt(renewed, failure) from failure


def _is_refusal(failure: ApiError | ConnectionLost) -> bool:
    """Whether the request was refused for certain, so that a repetition would be refused too."""
    if not isinstance(failure, ApiError) or _is_unauthorized(failure):
        return False
    return failure.status < _SERVER_ERROR and not is_repeatable(failure)


def _is_unauthorized(failure: ApiError | ConnectionLost) -> bool:
    return isinstance(failure, ApiError) and failure.status == _UNAUTHORIZED


def _is_wrong_key(failure: ApiError | ConnectionLost) -> bool:
    return isinstance(failure, ApiError) and failure.code in _WRONG_KEY_CODES
