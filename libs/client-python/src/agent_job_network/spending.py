"""What a client may sign for."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import PaymentDeclined
from .money import units_of_usd, usd_of_units


@dataclass(frozen=True)
class SpendingCap:
    """In USD, as decimal strings. Without one: as little as the usual x402 clients."""

    # The most that one payment may be.
    per_payment: str = "1"
    # The most that this client signs for in all, also where the service says that a payment was refused.
    total: str = "10"


class Spending:
    """
    Counts what this client signed for, and refuses what goes above its caps. What is signed counts for good: whoever
    has an authorization can take the money until it expires, and of a service that calls it refused only the chain
    could say whether that is true.
    """

    def __init__(self, cap: SpendingCap) -> None:
        self._per_payment = _units("per_payment", cap.per_payment)
        self._total = _units("total", cap.total)
        self._committed = 0

    def commit(self, amount: int) -> None:
        """Raises `PaymentDeclined`; nothing is to be signed then."""
        price = f"This costs {usd_of_units(amount)} USD"
        if amount > self._per_payment:
            cap = usd_of_units(self._per_payment)
            raise _declined(
                f"{price}, above the cap of {cap} USD for one payment. Raise spending_cap_usd.per_payment."
            )
        if self._committed + amount > self._total:
            raise _declined(
                f"{price}; with the {usd_of_units(self._committed)} USD signed for so far that is above the cap of "
                f"{usd_of_units(self._total)} USD in all. Raise spending_cap_usd.total."
            )
        self._committed += amount


def _declined(message: str) -> PaymentDeclined:
    return PaymentDeclined("above_cap", message)


def _units(name: str, usd: str) -> int:
    amount = units_of_usd(usd)
    if amount is None:
        raise ValueError(f"spending_cap_usd.{name} must be a decimal number with at most 6 places.")
    return amount
