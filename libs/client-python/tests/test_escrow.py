"""Payments into an escrow, which a client signs or declines."""

from __future__ import annotations

import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from eth_abi.abi import encode
from eth_account import Account
from eth_account.messages import encode_typed_data
from eth_utils.crypto import keccak

from agent_job_network import KNOWN_ESCROWS, EscrowIgnored, PaymentDeclined, reclaim
from clients import ClientOptions
from scripted_service import (
    JOB,
    NOW,
    PAYEE,
    WALLET,
    FakeTime,
    Seen,
    Step,
    against,
    entry,
    keyed,
    offered,
    ok,
    post_job,
)
from test_paying import TRANSFER, USDC

PAID = ok({"role": "job-1", "paid": True, "payment": None})
ZERO = "0x" + "0" * 40
OPERATOR = "0x" + "3" * 40
DEADLINE = NOW // 1000 + 20 * 86_400
PAYER = Account.from_key(WALLET).address
INFO = "(address,address,address,address,uint120,uint48,uint48,uint48,uint16,uint16,address,uint256)"
TYPE = (
    "PaymentInfo(address operator,address payer,address receiver,address token,uint120 maxAmount,"
    "uint48 preApprovalExpiry,uint48 authorizationExpiry,uint48 refundExpiry,uint16 minFeeBps,uint16 maxFeeBps,"
    "address feeReceiver,uint256 salt)"
)
AUTHORIZED = keccak(text=f"PaymentAuthorized(bytes32,{INFO},uint256,address)").hex()
EXTRA = {
    "name": "USD Coin",
    "version": "2",
    "captureAuthorizer": OPERATOR,
    "feeRecipient": ZERO,
    "captureDeadline": DEADLINE,
    "refundDeadline": DEADLINE,
    "minFeeBps": 0,
    "maxFeeBps": 0,
    "authCaptureEscrow": KNOWN_ESCROWS[0].escrow,
    "paymentFlow": "escrow",
    "captureMode": "deferred",
}


def options() -> ClientOptions:
    return FakeTime().options(wallet=WALLET)


def escrow_entry(**extra: Any) -> dict[str, Any]:
    return {**entry("usdc-base", "500000"), "scheme": "auth-capture", "extra": {**EXTRA, **extra}}


def info_of(payer: str, salt: int) -> tuple[Any, ...]:
    times = (NOW // 1000 + 300, DEADLINE, DEADLINE)
    return (OPERATOR, payer, PAYEE, USDC["verifyingContract"], 500_000, *times, 0, 0, ZERO, salt)


class Escrow(unittest.TestCase):
    def test_a_payment_is_bound_to_the_terms_and_only_the_collector_can_use_it(self) -> None:
        with against([offered([escrow_entry()]), PAID]) as service, keyed(service, options()) as agent:
            post_job(agent)
            sent = service.seen[1].payment["payload"]
        info = encode([INFO], [info_of(ZERO, int(sent["salt"], 16))])
        info_hash = keccak(keccak(text=TYPE) + info)
        escrow, collector = KNOWN_ESCROWS[0].escrow, KNOWN_ESCROWS[0].collector
        nonce = keccak(encode(["uint256", "address", "bytes32"], [8453, escrow, info_hash]))
        authorization = sent["authorization"]
        self.assertEqual(authorization["nonce"], f"0x{nonce.hex()}")
        self.assertEqual((authorization["to"], authorization["value"]), (collector, "500000"))
        numbers = {name: int(authorization[name]) for name in ("value", "validAfter", "validBefore")}
        signable = encode_typed_data(USDC, {"ReceiveWithAuthorization": TRANSFER}, {**authorization, **numbers})
        self.assertEqual(Account.recover_message(signable, signature=sent["signature"]), PAYER)

    def test_unknown_contracts_fees_and_long_terms_are_declined(self) -> None:
        year = DEADLINE + 365 * 86_400
        for extra in (
            {"authCaptureEscrow": OPERATOR},
            {"maxFeeBps": 1},
            {"feeRecipient": OPERATOR},
            {"captureAuthorizer": None},
            {"refundDeadline": DEADLINE + 1},
            {"captureDeadline": NOW // 1000, "refundDeadline": NOW // 1000},
            {"captureDeadline": year, "refundDeadline": year},
        ):
            with self.subTest(extra), against([offered([escrow_entry(**extra)])]) as service:
                with keyed(service, options()) as agent, self.assertRaises(PaymentDeclined) as declined:
                    post_job(agent)
                self.assertEqual(declined.exception.code, "unknown_offer")

    def test_money_is_reclaimed_by_the_log_of_the_funding_transaction(self) -> None:
        info = encode([INFO], [info_of(PAYER, 7)]).hex()
        data = f"0x{info}{encode(['uint256', 'address'], [500_000, OPERATOR]).hex()}"
        topics = [f"0x{AUTHORIZED}", "0x" + "1" * 64]
        logs = [{"address": KNOWN_ESCROWS[0].escrow.lower(), "topics": topics, "data": data}]
        with node(logs) as (url, sent):
            self.assertEqual(reclaim(tx="0x01", rpc_url=url, wallet=WALLET), "0x02")
            self.assertEqual(sent, [{"from": PAYER, "to": KNOWN_ESCROWS[0].escrow, "data": f"0xe1a2a66d{info}"}])
            stranger = Account.create()
            with self.assertRaisesRegex(ValueError, "funds no escrow of this wallet"):
                reclaim(tx="0x01", rpc_url=url, wallet=stranger)

    def test_a_service_that_does_not_know_the_field_is_told_from_one_that_holds_the_wage(self) -> None:
        answer = {"role": "job-1", "ignored": ["escrow", "work_days"]}
        title, summary, done = JOB["title"], JOB["summary"], JOB["done"]
        with against([ok(answer), ok(answer)]) as service, keyed(service) as agent:
            self.assertEqual(agent.job(title=title, summary=summary, done=done)["role"], "job-1")
            with self.assertRaises(EscrowIgnored) as ignored:
                agent.job(title=title, summary=summary, done=done, escrow=True)
        self.assertEqual(ignored.exception.answer["role"], "job-1")
        message = "This service has no escrow: it posted job-1 without one. Close it if the wage has to be held."
        self.assertEqual(str(ignored.exception), message)


@contextmanager
def node(logs: list[dict[str, Any]]) -> Iterator[tuple[str, list[Any]]]:
    """A node of the chain, and the calls that it was asked to estimate."""
    estimated: list[Any] = []
    receipt = {"status": "0x1", "logs": logs}
    results = {"eth_getTransactionReceipt": receipt, "eth_sendRawTransaction": "0x02", "eth_chainId": "0x2105"}

    def step(seen: Seen) -> Step:
        method, params = seen.body["method"], seen.body["params"]
        if method == "eth_estimateGas":
            estimated.append(params[0])
        return ok({"result": results.get(method, "0x64")})

    with against(step) as service:
        yield service.url, estimated


if __name__ == "__main__":
    unittest.main()
