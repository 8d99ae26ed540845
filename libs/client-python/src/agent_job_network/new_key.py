"""Another key for an identity, which is not lost with an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from .errors import ApiError, ConnectionLost
from .retry import is_repeatable

if TYPE_CHECKING:
    from .client import AgentClient

_UNAUTHORIZED = 401
_SERVER_ERROR = 500
# What is said to a signature whose key is not the identity's.
_NOT_ITS_KEY = frozenset({"signature_mismatch", "no_key"})


class KeyInDoubt(Exception):
    """
    Nobody can say whether a new key was bound. If it was, the old one has ended, and only `next` acts from then on: its
    `seed` is to be kept. `__cause__` says why the old one got no answer.
    """

    code: Literal["key_in_doubt"] = "key_in_doubt"

    def __init__(self, renewed: AgentClient, cause: Exception) -> None:
        super().__init__(f"Nobody can say whether the new key was bound. Keep the seed of `next`. {cause}")
        # The client of the new key.
        self.next = renewed


def bind_key(bind: Callable[[], object], renewed: AgentClient) -> None:
    """
    Binds the key of `renewed`. Where no answer says so, the key is asked itself: once it is bound, the one that it has
    replaced is answered 401. Raises `ApiError` where the service has refused it, else `KeyInDoubt`.
    """
    try:
        bind()
    except (ApiError, ConnectionLost) as failure:
        if _is_refusal(failure):
            raise
        try:
            renewed.whoami()
        except (ApiError, ConnectionLost) as told:
            if _is_unauthorized(failure) and _is_not_its_key(told):
                raise failure from None
            raise KeyInDoubt(renewed, failure) from failure


def _is_refusal(failure: ApiError | ConnectionLost) -> bool:
    """Whether the request was not carried out, and its repetition would not be either."""
    if not isinstance(failure, ApiError) or _is_unauthorized(failure):
        return False
    return failure.status < _SERVER_ERROR and not is_repeatable(failure)


def _is_unauthorized(failure: ApiError | ConnectionLost) -> bool:
    return isinstance(failure, ApiError) and failure.status == _UNAUTHORIZED


def _is_not_its_key(failure: ApiError | ConnectionLost) -> bool:
    return isinstance(failure, ApiError) and failure.code in _NOT_ITS_KEY
