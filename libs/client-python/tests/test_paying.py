"""Payments that a client signs or declines."""

from __future__ import annotations

import unittest
from typing import Any

from eth_account import Account
from eth_account.messages import encode_typed_data

from agent_job_network import ApiError, ConnectionLost, PaymentDeclined, RetryBounds, SpendingCap
from clients import ClientOptions
from scripted_service import (
    LOST,
    NOW,
    PAYEE,
    WALLET,
    Answer,
    FakeTime,
    against,
    base64,
    entry,
    keyed,
    offered,
    ok,
    post_job,
    refused,
    tokened,
)

PAYMENT = {"tx": "0x1", "network": "base", "payer": "0x2", "amount": "500000"}
PAID = ok({"role": "job-1", "paid": True, "payment": PAYMENT})
FAILED = {"payment-response": base64({"success": False, "errorReason": "transfer_refused"})}
BOTH = [entry("usdg-robinhood", "500000"), entry("usdc-base", "500000")]
PAYER = Account.from_key(WALLET).address

TRANSFER = [
    {"name": "from", "type": "address"},
    {"name": "to", "type": "address"},
    {"name": "value", "type": "uint256"},
    {"name": "validAfter", "type": "uint256"},
    {"name": "validBefore", "type": "uint256"},
    {"name": "nonce", "type": "bytes32"},
]
USDC = {
    "name": "USD Coin",
    "version": "2",
    "chainId": 8453,
    "verifyingContract": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
}


def paying(**more: Any) -> ClientOptions:
    return FakeTime().options(**{"wallet": WALLET, **more})


def signer_of(payload: dict[str, Any]) -> str:
    sent = payload["authorization"]
    numbers = {name: int(sent[name]) for name in ("value", "validAfter", "validBefore")}
    signable = encode_typed_data(USDC, {"TransferWithAuthorization": TRANSFER}, {**sent, **numbers})
    signer: str = Account.recover_message(signable, signature=payload["signature"])
    return signer


class Paying(unittest.TestCase):
    def test_the_same_signed_body_goes_out_again_with_the_payment_in_its_header(self) -> None:
        with against([offered(BOTH), PAID]) as service, keyed(service, paying()) as agent:
            self.assertTrue(post_job(agent)["paid"])
            asked, paid = service.seen
            self.assertEqual(paid.text, asked.text)
            self.assertEqual(paid.headers["idempotency-key"], asked.headers["idempotency-key"])
            self.assertNotIn("payment-signature", asked.headers)

    def test_what_is_signed_is_the_offers_transfer_for_five_minutes_by_the_wallet(self) -> None:
        with against([offered(BOTH), PAID]) as service, keyed(service, paying()) as agent:
            post_job(agent)
            payment = service.seen[1].payment
        self.assertEqual([payment["x402Version"], payment["accepted"]], [2, BOTH[1]])
        self.assertEqual(payment["resource"]["url"], "http://service.test/api/job")
        self.assertNotIn("extensions", payment)
        authorization = payment["payload"]["authorization"]
        self.assertRegex(authorization.pop("nonce"), "^0x[0-9a-f]{64}$")
        expected = {"from": PAYER, "to": PAYEE, "value": "500000", "validAfter": "0"}
        self.assertEqual(authorization, {**expected, "validBefore": str(NOW // 1000 + 300)})

    def test_the_signature_is_over_eip_3009_in_the_tokens_domain(self) -> None:
        with against([offered(BOTH), PAID]) as service, keyed(service, paying()) as agent:
            post_job(agent)
            self.assertEqual(signer_of(service.seen[1].payment["payload"]), PAYER)

    def test_an_authorization_is_valid_no_longer_than_the_offer_asks(self) -> None:
        short = [entry("usdc-base", "500000", maxTimeoutSeconds=60)]
        with against([offered(short), PAID]) as service, keyed(service, paying()) as agent:
            post_job(agent)
            authorization = service.seen[1].payment["payload"]["authorization"]
            self.assertEqual(authorization["validBefore"], str(NOW // 1000 + 60))

    def test_the_preferred_rail_is_paid_on_and_any_account_pays(self) -> None:
        options = paying(rails=["usdg-robinhood", "usdc-base"], wallet=Account.from_key(WALLET))
        with against([offered(BOTH), PAID]) as service, tokened(service, options) as agent:
            post_job(agent)
            self.assertEqual(service.seen[1].payment["accepted"]["network"], "eip155:4663")
            self.assertEqual(service.seen[1].headers["authorization"], "Bearer service_tok_test")

    def test_a_corrected_clock_dates_the_authorization_too(self) -> None:
        too_old = refused(401, "timestamp_out_of_window", {"server_time": NOW + 3_600_000})
        with against([too_old, offered(BOTH), PAID]) as service, keyed(service, paying()) as agent:
            post_job(agent)
            authorization = service.seen[2].payment["payload"]["authorization"]
            self.assertEqual(authorization["validBefore"], str(NOW // 1000 + 3900))


class PayingOnce(unittest.TestCase):
    pending = refused(409, "settlement_pending", {}, {"retry-after": "1", **FAILED})

    def test_whatever_happens_to_the_answer_the_same_payment_goes_out_again(self) -> None:
        outage = refused(503, "payments_unavailable", {}, {"retry-after": "2"})
        with against([offered(BOTH), LOST, outage, self.pending, PAID]) as service:
            with keyed(service, paying()) as agent:
                post_job(agent)
            payments = [seen.headers["payment-signature"] for seen in service.seen[1:]]
            self.assertEqual([len(payments), len(set(payments))], [4, 1])

    def test_after_the_signatures_window_a_fresh_signature_carries_the_same_payment(self) -> None:
        time = FakeTime()
        slow = time.options(wallet=WALLET, retry=RetryBounds(total_seconds=600), sleep=lambda _: time.sleep(270))
        with against([offered(BOTH), self.pending, PAID]) as service, keyed(service, slow) as agent:
            post_job(agent)
            _, first, second = service.seen
            for header in ("payment-signature", "idempotency-key"):
                self.assertEqual(second.headers[header], first.headers[header])
            self.assertNotEqual(second.body["nonce"], first.body["nonce"])

    def test_who_resumes_an_operation_sends_the_payment_that_was_signed(self) -> None:
        options = paying(retry=RetryBounds(attempts_max=2))
        with against([offered(BOTH), LOST, PAID]) as service, keyed(service, options) as agent:
            with self.assertRaises(ConnectionLost) as raised:
                post_job(agent)
            self.assertTrue(raised.exception.resume()["paid"])
            first, second = (seen.headers["payment-signature"] for seen in service.seen[1:])
            self.assertEqual(second, first)

    def test_a_402_that_does_not_prove_that_the_first_can_never_settle_is_not_paid_again(self) -> None:
        failed = {"authorization_spent": FAILED}
        checks = ("insufficient_balance", "wrong_amount")
        for code in (*checks, "authorization_used", "authorization_spent", "authorization_expired"):
            answers = [offered(BOTH), offered(BOTH, code, failed.get(code))]
            with self.subTest(code), against(answers) as service, keyed(service, paying()) as agent:
                self.assertRaisesRegex(ApiError, rf"402 {code}\)", post_job, agent)

    def test_after_a_settlement_that_failed_a_second_is_signed_and_no_third(self) -> None:
        for final in (offered(BOTH, "transfer_refused", FAILED), offered(BOTH, "authorization_refused")):
            with against([offered(BOTH), final, final]) as service, keyed(service, paying()) as agent:
                self.assertRaises(ApiError, post_job, agent)
                first, second = (seen.headers["payment-signature"] for seen in service.seen[1:])
                self.assertNotEqual(second, first)


class NothingIsSigned(unittest.TestCase):
    def declined(self, options: ClientOptions, answer: Answer = offered(BOTH)) -> PaymentDeclined:
        with against([answer]) as service, keyed(service, options) as agent:
            with self.assertRaises(PaymentDeclined) as raised:
                post_job(agent)
        return raised.exception

    def test_without_a_wallet(self) -> None:
        failure = self.declined(FakeTime().options())
        self.assertEqual(failure.code, "no_wallet")
        self.assertIn("0.5 USD on usdc-base", str(failure))

    def test_above_the_cap_of_one_payment(self) -> None:
        failure = self.declined(paying(spending_cap_usd=SpendingCap(per_payment="0.499999")))
        self.assertEqual(failure.code, "above_cap")
        self.assertIn("This costs 0.5 USD, above the cap of 0.499999 USD", str(failure))

    def test_above_the_cap_of_all_payments_counting_what_was_signed_before(self) -> None:
        options = paying(spending_cap_usd=SpendingCap(total="0.9"))
        with against([offered(BOTH), PAID, offered(BOTH)]) as service, keyed(service, options) as agent:
            post_job(agent)
            self.assertRaisesRegex(PaymentDeclined, "0.5 USD signed so far", post_job, agent)

    def test_above_the_cap_of_all_payments_counting_what_the_service_calls_refused(self) -> None:
        options = paying(spending_cap_usd=SpendingCap(total="0.9"))
        answers = [offered(BOTH), offered(BOTH, "transfer_refused", FAILED)]
        with against(answers) as service, keyed(service, options) as agent:
            self.assertRaises(PaymentDeclined, post_job, agent)

    def test_for_anything_that_is_not_exactly_a_known_token(self) -> None:
        changes: list[dict[str, object]] = [
            {"asset": PAYEE},
            {"extra": {"name": "USD Coin", "version": "3"}},
            {"extra": {**USDC, "paymentFlow": "other"}},
            {"network": "eip155:1"},
            {"scheme": "upto"},
            {"payTo": "me"},
            {"amount": "1e3"},
            {"extra": {}},
        ]
        for change in changes:
            with self.subTest(change):
                failure = self.declined(paying(), offered([{**entry("usdc-base", "1"), **change}]))
                self.assertEqual(failure.code, "unknown_offer")

    def test_for_an_answer_that_carries_no_offer(self) -> None:
        version_1 = {"x402Version": 1, "error": "", "accepts": []}
        for header in (None, "", "no base64", base64([]), base64({}), base64(version_1), base64("text")):
            sent = {} if header is None else {"payment-required": header}
            with self.subTest(header):
                failure = self.declined(paying(), refused(402, "payment_required", {}, sent))
                self.assertEqual(failure.code, "unknown_offer")

    def test_with_a_cap_that_is_no_amount(self) -> None:
        with against([]) as service, self.assertRaisesRegex(ValueError, "decimal number"):
            keyed(service, paying(spending_cap_usd=SpendingCap(total="ten")))
