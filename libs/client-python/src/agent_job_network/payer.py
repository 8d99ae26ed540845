"""Pays x402 offers by signing EIP-3009 `TransferWithAuthorization`. The service submits it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .errors import PaymentDeclined
from .known_tokens import KNOWN_TOKENS, KnownToken
from .money import usd_of_units
from .service_clock import ServiceClock
from .spending import Spending

# x402 and eth-account take seconds to load, so they are only loaded for a payment.
if TYPE_CHECKING:
    from eth_account.signers.base import BaseAccount
    from x402.schemas import PaymentRequired, PaymentRequirements

# Maximum validity of an authorization in seconds.
_VALID_SECONDS = 300
_NONCE_BYTES = 32
_AMOUNT = re.compile(r"[0-9]{1,30}")
_EVM_ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}")
_TRANSFER = {
    "from": "address",
    "to": "address",
    "value": "uint256",
    "validAfter": "uint256",
    "validBefore": "uint256",
    "nonce": "bytes32",
}
_DOMAIN = {"name": "string", "version": "string", "chainId": "uint256", "verifyingContract": "address"}


@dataclass(frozen=True)
class SignedPayment:
    """A signed payment, sent with every repetition of its operation."""

    # Value of the header `PAYMENT-SIGNATURE` (x402 version 2).
    header: str
    # Certain expiry, in unix ms of the client's own clock: not before `validBefore`, and not before its lifetime has
    # passed since signing.
    expired_at: int


class Payer:
    def __init__(
        self, wallet: str | BaseAccount | None, spending: Spending, clock: ServiceClock, rails: Sequence[str]
    ) -> None:
        self._wallet = wallet
        self._spending = spending
        self._clock = clock
        self._rails = rails

    def pay(self, offer_header: str | None) -> SignedPayment:
        """Pays the offer in `PAYMENT-REQUIRED`. Raises `PaymentDeclined` if this client does not pay it."""
        offer = _read_offer(offer_header)
        token, entry = self._choose(offer.accepts)
        account = self._account_for(token, entry)
        valid_seconds = min(entry.max_timeout_seconds, _VALID_SECONDS)
        valid_before = self._clock.now() // 1000 + valid_seconds
        expired_at = max(valid_before * 1000, self._clock.local_now() + valid_seconds * 1000)
        self._spending.commit(int(entry.amount))
        return SignedPayment(_signed(offer, entry, _Transfers(account, token, valid_before)), expired_at)

    def _choose(self, accepts: Sequence[PaymentRequirements]) -> tuple[KnownToken, PaymentRequirements]:
        """Returns the first preferred rail whose offer matches the known token."""
        for rail in self._rails:
            for token in (each for each in KNOWN_TOKENS if each.rail == rail):
                for entry in (option for option in accepts if _is_payable(option, token)):
                    return token, entry
        rails = ", ".join(self._rails)
        raise _unknown_offer(f"The offer has no supported rail with a known token. Supported rails are {rails}.")

    def _account_for(self, token: KnownToken, entry: PaymentRequirements) -> BaseAccount:
        if self._wallet is None:
            price = f"{usd_of_units(int(entry.amount))} USD on {token.rail}"
            raise PaymentDeclined("no_wallet", f"This costs {price}. Give the client a wallet.")
        if isinstance(self._wallet, str):
            self._wallet = _account_of(self._wallet)
        return self._wallet


def _account_of(private_key: str) -> BaseAccount:
    from eth_account import Account

    account: BaseAccount = Account.from_key(private_key)
    return account


class _Transfers:
    """
    x402's scheme `exact` for one payment. The scheme of `x402[evm]` uses the machine's clock, accepts any validity
    that an offer asks for, and needs web3, which only servers use.
    """

    scheme = "exact"

    def __init__(self, account: BaseAccount, token: KnownToken, valid_before: int) -> None:
        self._account = account
        self._token = token
        self._valid_before = valid_before

    def create_payment_payload(self, requirements: PaymentRequirements) -> dict[str, Any]:
        authorization = {
            "from": self._account.address,
            "to": requirements.pay_to,
            "value": requirements.amount,
            "validAfter": "0",
            "validBefore": str(self._valid_before),
            "nonce": f"0x{secrets.token_hex(_NONCE_BYTES)}",
        }
        return {"signature": self._sign(authorization), "authorization": authorization}

    def _sign(self, authorization: dict[str, str]) -> str:
        """Signs by EIP-712 in the domain of the known token."""
        from eth_account.messages import encode_typed_data

        message = {name: int(value) if _TRANSFER[name] == "uint256" else value for name, value in authorization.items()}
        typed = {
            "domain": {
                "name": self._token.name,
                "version": self._token.version,
                "chainId": self._token.chain_id,
                "verifyingContract": self._token.asset,
            },
            "primaryType": "TransferWithAuthorization",
            "types": {"EIP712Domain": _members(_DOMAIN), "TransferWithAuthorization": _members(_TRANSFER)},
            "message": message,
        }
        signed = self._account.sign_message(encode_typed_data(full_message=typed))
        return f"0x{bytes(signed.signature).hex()}"


def _members(types: dict[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "type": kind} for name, kind in types.items()]


def _signed(offer: PaymentRequired, entry: PaymentRequirements, scheme: _Transfers) -> str:
    """Builds the payment with x402. The entry is chosen and the cap checked before."""
    from x402 import x402ClientSync
    from x402.http.utils import encode_payment_signature_header

    core = x402ClientSync().register(entry.network, scheme).set_spend_controls(False)
    # The extensions only describe the endpoint, and would fill the header.
    chosen = offer.model_copy(update={"accepts": [entry], "extensions": None})
    return encode_payment_signature_header(core.create_payment_payload(chosen))


def _read_offer(header: str | None) -> PaymentRequired:
    from x402.http.utils import decode_payment_required_header
    from x402.schemas import PaymentRequired

    try:
        offer = decode_payment_required_header(header or "")
    # ValueError: not base64, JSON or an offer. AttributeError: JSON, but not an object.
    except (ValueError, AttributeError, RecursionError):
        offer = None
    if not isinstance(offer, PaymentRequired) or offer.x402_version != 2:
        raise _unknown_offer("The answer has no offer of x402 version 2.")
    return offer


def _is_payable(entry: PaymentRequirements, token: KnownToken) -> bool:
    return (
        entry.scheme == "exact"
        and entry.network == token.network
        and entry.asset.lower() == token.asset.lower()
        and entry.extra.get("name") == token.name
        and entry.extra.get("version") == token.version
        # x402's core declines other flows, which must not count as signed.
        and entry.extra.get("paymentFlow") in (None, "authorization")
        and _AMOUNT.fullmatch(entry.amount) is not None
        and _EVM_ADDRESS.fullmatch(entry.pay_to) is not None
    )


def _unknown_offer(message: str) -> PaymentDeclined:
    return PaymentDeclined("unknown_offer", message)
