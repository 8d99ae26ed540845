"""Payments into an escrow by the x402 scheme `auth-capture`: its terms, and the nonce that binds a payment to them."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .known_escrows import KNOWN_ESCROWS, KnownEscrow

# More than the longest work and review of a job take.
_HELD_SECONDS_MAX = 120 * 24 * 60 * 60
_SALT_BYTES = 32
_WORD_BYTES = 32
_ZERO_ADDRESS = "0x" + "0" * 40
EVM_ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}")
_PAYMENT_INFO = (
    "PaymentInfo(address operator,address payer,address receiver,address token,uint120 maxAmount,"
    "uint48 preApprovalExpiry,uint48 authorizationExpiry,uint48 refundExpiry,uint16 minFeeBps,uint16 maxFeeBps,"
    "address feeReceiver,uint256 salt)"
)


@dataclass(frozen=True)
class EscrowTerms:
    """The account `operator` can release the money to the receiver or return it until `deadline`, in unix seconds."""

    known: KnownEscrow
    operator: str
    deadline: int


def read_escrow_terms(extra: dict[str, Any], chain_id: int, now: int) -> EscrowTerms | None:
    """Reads `extra` of an offer. None if the escrow is unknown, takes a fee, or would hold the money for too long."""
    escrows = (each for each in KNOWN_ESCROWS if each.chain_id == chain_id)
    known = next((each for each in escrows if _is_same(extra.get("authCaptureEscrow"), each.escrow)), None)
    fees = (extra.get("minFeeBps"), extra.get("maxFeeBps"))
    is_free = fees == (0, 0) and _is_same(extra.get("feeRecipient"), _ZERO_ADDRESS)
    operator, deadline = extra.get("captureAuthorizer"), extra.get("captureDeadline")
    if known is None or not is_free or not isinstance(operator, str) or EVM_ADDRESS.fullmatch(operator) is None:
        return None
    if type(deadline) is not int or extra.get("refundDeadline") != deadline:
        return None
    if not 0 < deadline - now // 1000 <= _HELD_SECONDS_MAX:
        return None
    return EscrowTerms(known, operator, deadline)


def new_escrow_nonce(
    terms: EscrowTerms, *, receiver: str, token: str, amount: str, valid_before: int
) -> tuple[str, str]:
    """Returns a fresh salt and the EIP-3009 nonce of these terms, which does not name the payer."""
    salt = f"0x{secrets.token_hex(_SALT_BYTES)}"
    typehash = _hash(_PAYMENT_INFO.encode())
    parties = [terms.operator, _ZERO_ADDRESS, receiver, token]
    times = [valid_before, terms.deadline, terms.deadline]
    info = _hash_words([typehash, *parties, int(amount), *times, 0, 0, _ZERO_ADDRESS, salt])
    return salt, _hash_words([terms.known.chain_id, terms.known.escrow, info])


def _is_same(one: object, other: str) -> bool:
    return isinstance(one, str) and one.lower() == other.lower()


def _hash(data: bytes) -> str:
    # Comes with eth-account, which takes a second to load.
    from eth_utils.crypto import keccak

    return f"0x{keccak(data).hex()}"


def _hash_words(values: Sequence[str | int]) -> str:
    """Returns the keccak256 of static values that are ABI encoded to one word each."""
    numbers = (value if isinstance(value, int) else int(value, 16) for value in values)
    return _hash(b"".join(number.to_bytes(_WORD_BYTES, "big") for number in numbers))
