"""Pays x402 offers by signing an EIP-3009 authorization, which the service submits."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .auth_capture import EVM_ADDRESS, EscrowTerms, new_escrow_nonce, read_escrow_terms
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
_AUTHORIZATION = {
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
        token, entry, escrow = self._choose(offer.accepts)
        account = self._account_for(token, entry)
        valid_seconds = min(entry.max_timeout_seconds, _VALID_SECONDS)
        valid_before = self._clock.now() // 1000 + valid_seconds
        expired_at = max(valid_before * 1000, self._clock.local_now() + valid_seconds * 1000)
        self._spending.commit(int(entry.amount))
        payload = _Authorizations(account, token, valid_before).sign(entry, escrow)
        return SignedPayment(_header(offer, entry, payload), expired_at)

    def _choose(
        self, accepts: Sequence[PaymentRequirements]
    ) -> tuple[KnownToken, PaymentRequirements, EscrowTerms | None]:
        """Returns the first preferred rail whose offer matches the known token. `exact` has no terms: None."""
        for rail in self._rails:
            for token in (each for each in KNOWN_TOKENS if each.rail == rail):
                for entry in (option for option in accepts if _is_payable(option, token)):
                    escrow = read_escrow_terms(entry.extra, token.chain_id, self._clock.now())
                    if entry.scheme == "exact" and entry.extra.get("paymentFlow") in (None, "authorization"):
                        return token, entry, None
                    if entry.scheme == "auth-capture" and escrow is not None:
                        return token, entry, escrow
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


class _Authorizations:
    """
    EIP-3009 authorizations of one account. The schemes of `x402[evm]` use the machine's clock, accept any validity
    that an offer asks for, and need web3, which only servers use.
    """

    def __init__(self, account: BaseAccount, token: KnownToken, valid_before: int) -> None:
        self._account = account
        self._token = token
        self._valid_before = valid_before

    def sign(self, entry: PaymentRequirements, escrow: EscrowTerms | None) -> dict[str, Any]:
        """Returns the payload of `exact`, or with an escrow that of `auth-capture`."""
        authorization = {
            "from": self._account.address,
            "to": entry.pay_to,
            "value": entry.amount,
            "validAfter": "0",
            "validBefore": str(self._valid_before),
            "nonce": f"0x{secrets.token_hex(_NONCE_BYTES)}",
        }
        if escrow is None:
            return {"signature": self._sign("TransferWithAuthorization", authorization), "authorization": authorization}
        terms = {"receiver": entry.pay_to, "token": self._token.asset, "amount": entry.amount}
        salt, nonce = new_escrow_nonce(escrow, **terms, valid_before=self._valid_before)
        # Only the collector can submit such an authorization.
        authorization |= {"to": escrow.known.collector, "nonce": nonce}
        signature = self._sign("ReceiveWithAuthorization", authorization)
        return {"signature": signature, "authorization": authorization, "salt": salt}

    def _sign(self, primary_type: str, authorization: dict[str, str]) -> str:
        """Signs by EIP-712 in the domain of the known token."""
        from eth_account.messages import encode_typed_data

        message = {
            name: int(value) if _AUTHORIZATION[name] == "uint256" else value for name, value in authorization.items()
        }
        typed = {
            "domain": {
                "name": self._token.name,
                "version": self._token.version,
                "chainId": self._token.chain_id,
                "verifyingContract": self._token.asset,
            },
            "primaryType": primary_type,
            "types": {"EIP712Domain": _members(_DOMAIN), primary_type: _members(_AUTHORIZATION)},
            "message": message,
        }
        signed = self._account.sign_message(encode_typed_data(full_message=typed))
        return f"0x{bytes(signed.signature).hex()}"


def _members(types: dict[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "type": kind} for name, kind in types.items()]


def _header(offer: PaymentRequired, entry: PaymentRequirements, payload: dict[str, Any]) -> str:
    """The extensions of the offer only describe the endpoint, and would fill the header."""
    from x402.http.utils import encode_payment_signature_header
    from x402.schemas import PaymentPayload

    return encode_payment_signature_header(PaymentPayload(payload=payload, accepted=entry, resource=offer.resource))


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
        entry.network == token.network
        and entry.asset.lower() == token.asset.lower()
        and entry.extra.get("name") == token.name
        and entry.extra.get("version") == token.version
        and _AMOUNT.fullmatch(entry.amount) is not None
        and EVM_ADDRESS.fullmatch(entry.pay_to) is not None
    )


def _unknown_offer(message: str) -> PaymentDeclined:
    return PaymentDeclined("unknown_offer", message)
