"""Takes the money of an escrow back after its deadline, without the service."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import httpx2

from .known_escrows import KNOWN_ESCROWS

if TYPE_CHECKING:
    from eth_account.signers.base import BaseAccount

_PAYMENT_AUTHORIZED = "0x1c81fb2e3bab27f6bb09bee9a0dddf61600b7cbaf2c12683e4864e0cbdb9d284"
_RECLAIM_SELECTOR = "0xe1a2a66d"
_WORD_DIGITS = 64
_INFO_END = 2 + 12 * _WORD_DIGITS
_PAYER_END = 2 + 2 * _WORD_DIGITS
_ADDRESS_DIGITS = 40
_CONFIRMED_SECONDS_MAX = 120
_POLL_SECONDS = 1


def reclaim(*, tx: str, rpc_url: str, wallet: str | BaseAccount) -> str:
    """
    Takes the money back that the transaction `tx` moved into an escrow. `wallet`, the account or private key that
    funded it, pays the gas. Returns the hash of the confirmed transaction. Raises `ValueError` if `tx` has no escrow
    of this wallet or the contract refuses (before the deadline, or after a release or a return), `TimeoutError` if
    no block takes the transaction for two minutes.
    """
    from eth_account import Account

    account = Account.from_key(wallet) if isinstance(wallet, str) else wallet
    with httpx2.Client(timeout=30) as http:
        node = _Node(http, rpc_url)
        call = _reclaim_call(node.call("eth_getTransactionReceipt", tx), account.address)
        if call is None:
            raise ValueError(f"The transaction {tx} funds no escrow of this wallet.")
        fee = 2 * int(node.call("eth_gasPrice"), 16)
        transaction: Any = {
            **call,
            "gas": int(node.call("eth_estimateGas", {"from": account.address, **call}), 16) * 3 // 2,
            "nonce": int(node.call("eth_getTransactionCount", account.address, "pending"), 16),
            "chainId": int(node.call("eth_chainId"), 16),
            "maxFeePerGas": fee,
            "maxPriorityFeePerGas": min(fee, int(node.call("eth_maxPriorityFeePerGas"), 16)),
        }
        signed = account.sign_transaction(transaction)
        sent: str = node.call("eth_sendRawTransaction", f"0x{bytes(signed.raw_transaction).hex()}")
        node.await_success(sent)
        return sent


class _Node:
    def __init__(self, http: httpx2.Client, url: str) -> None:
        self._http = http
        self._url = url

    def call(self, method: str, *params: Any) -> Any:
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = self._http.post(self._url, json=request).raise_for_status().json()
        if "error" in answer:
            raise ValueError(f"The node refuses {method}: {answer['error'].get('message')}")
        return answer["result"]

    def await_success(self, tx: str) -> None:
        until = time.monotonic() + _CONFIRMED_SECONDS_MAX
        while (receipt := self.call("eth_getTransactionReceipt", tx)) is None:
            if time.monotonic() > until:
                raise TimeoutError(f"No block has the transaction {tx} yet.")
            time.sleep(_POLL_SECONDS)
        if int(receipt["status"], 16) != 1:
            raise ValueError(f"The transaction {tx} reverted.")


def _reclaim_call(receipt: Any, payer: str) -> dict[str, str] | None:
    """The contract takes the members of `PaymentInfo` as its log `PaymentAuthorized` has them."""
    escrows = {known.escrow.lower(): known.escrow for known in KNOWN_ESCROWS}
    for log in receipt["logs"] if receipt else []:
        escrow, data = escrows.get(log["address"].lower()), log["data"]
        if escrow is None or log["topics"][0] != _PAYMENT_AUTHORIZED:
            continue
        if data[_PAYER_END - _ADDRESS_DIGITS : _PAYER_END] == payer[2:].lower():
            return {"to": escrow, "data": _RECLAIM_SELECTOR + data[2:_INFO_END]}
    return None
