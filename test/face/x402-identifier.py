"""Buys each thing twice with the official client, since the answer to the first payment is lost."""

import json
import sys
from typing import Any

from eth_account import Account
from x402 import x402ClientSync
from x402.extensions.payment_identifier import PAYMENT_IDENTIFIER, append_payment_identifier_to_extensions
from x402.http.clients.requests import PaymentError, x402_requests
from x402.mechanisms.evm.exact import ExactEvmScheme


class Identifier:
    key = PAYMENT_IDENTIFIER

    def __init__(self, value: str) -> None:
        self._value = value

    def enrich_payment_payload(self, payload: Any, _required: Any) -> Any:
        extensions = append_payment_identifier_to_extensions(dict(payload.extensions or {}), self._value)
        return payload.model_copy(update={"extensions": extensions})


for purchase in json.loads(sys.argv[1]):
    client = x402ClientSync().set_spend_controls(False)
    client.register("eip155:*", ExactEvmScheme(Account.from_key(purchase["key"])))
    client.register_extension(Identifier(purchase["id"]))
    first, second = purchase["bodies"]
    session = x402_requests(client)
    try:
        session.post(purchase["url"], json=first, timeout=60)
        raise SystemExit("The first answer was not lost.")
    except PaymentError:
        pass
    answer = session.post(purchase["url"], json=second, timeout=60)
    print(answer.status_code, json.dumps(answer.json()), flush=True)
