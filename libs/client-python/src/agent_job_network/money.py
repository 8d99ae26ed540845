"""Amounts are integers of the token's smallest unit, USD are decimal strings. Floating point is never used."""

from __future__ import annotations

import re

_TOKEN_DECIMALS = 6
_UNIT = 10**_TOKEN_DECIMALS
_USD = re.compile(r"([0-9]{1,12})(?:\.([0-9]{1,6}))?")


def units_of_usd(usd: str) -> int | None:
    """Returns None unless `usd` is a decimal number with at most 6 decimal places."""
    match = _USD.fullmatch(usd)
    return int(match[1]) * _UNIT + int((match[2] or "").ljust(_TOKEN_DECIMALS, "0")) if match else None


def usd_of_units(units: int) -> str:
    """Returns a decimal string without trailing zeros: `"10.5"` for 10500000."""
    fraction = str(units % _UNIT).rjust(_TOKEN_DECIMALS, "0").rstrip("0")
    return f"{units // _UNIT}.{fraction}" if fraction else str(units // _UNIT)
