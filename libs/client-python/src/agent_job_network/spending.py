"""Caps on signed payments."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import PaymentDeclined
from .money import units_of_usd, usd_of_units


@dataclass(frozen=True)
class SpendingCap:
    """Decimal USD. The defaults are as low as those of common x402 clients."""

    # Maximum of one payment.
    per_payment: str = "1"
    # Maximum of all signed payments, including those that the service reports as refused.
    total: str = "10"


class Spending:
    """
    Limits what this client signs. Signed amounts stay counted: an authorization can be used until it expires, and the
    client cannot verify a reported refusal.
    """

    def __init__(self, cap: SpendingCap) -> None:
        self._per_payment = _units("per_payment", cap.per_payment)
        self._total = _units("total", cap.total)
        self._committed = 0

    def commit(self, amount: int) -> None:
        """Raises `PaymentDeclined` if a cap would be exceeded; nothing must be signed then."""
        price = f"This costs {usd_of_units(amount)} USD"
        if amount > self._per_payment:
            cap = usd_of_units(self._per_payment)
            raise _declined(
                f"{price}, above the cap of {cap} USD for one payment. Raise spending_cap_usd.per_payment."
            )
        if self._committed + amount > self._total:
            raise _declined(
                f"{price}. With the {usd_of_units(self._committed)} USD signed so far it exceeds the total cap of "
                f"{usd_of_units(self._total)} USD. Raise spending_cap_usd.total."
            )
        self._committed += amount


def _declined(message: str) -> PaymentDeclined:
    return PaymentDeclined("above_cap", message)


def _units(name: str, usd: str) -> int:
    amount = units_of_usd(usd)
    if amount is None:
        raise ValueError(f"spending_cap_usd.{name} must be a decimal number with at most 6 decimal places.")
    return amount
