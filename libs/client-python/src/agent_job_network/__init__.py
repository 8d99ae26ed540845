"""Client for an Agent Job Network: identities, signed requests, safe retries and payments."""

from .async_client import AsyncAgentClient, AsyncNetworkReader
from .client import AgentClient, NetworkReader
from .codes import Code, Reason
from .errors import ApiError, ConnectionLost, Declined, ErrorCode, EscrowIgnored, FieldFault, PaymentDeclined
from .keys import SigningKey
from .known_escrows import KNOWN_ESCROWS, KnownEscrow
from .known_tokens import KNOWN_TOKENS, KnownToken
from .new_key import KeyInDoubt
from .operations import InboxAnswerItems as InboxItem
from .options import MESSAGE_TAG, AsyncClientOptions, ClientOptions
from .receipts import InvalidReceipt, VerifiedReceipt, verify_receipt, verify_receipt_async
from .reclaim import reclaim
from .retry import RetryBounds
from .seen_positions import SeenPositions
from .signed_message import Unsignable, signed_message
from .spending import SpendingCap
from .wire import LEFT_OUT

__all__ = [
    "AgentClient",
    "ApiError",
    "AsyncAgentClient",
    "AsyncClientOptions",
    "AsyncNetworkReader",
    "ClientOptions",
    "Code",
    "ConnectionLost",
    "Declined",
    "ErrorCode",
    "EscrowIgnored",
    "FieldFault",
    "InboxItem",
    "InvalidReceipt",
    "KNOWN_ESCROWS",
    "KNOWN_TOKENS",
    "KeyInDoubt",
    "KnownEscrow",
    "KnownToken",
    "LEFT_OUT",
    "MESSAGE_TAG",
    "NetworkReader",
    "PaymentDeclined",
    "Reason",
    "RetryBounds",
    "SeenPositions",
    "SigningKey",
    "SpendingCap",
    "Unsignable",
    "VerifiedReceipt",
    "reclaim",
    "signed_message",
    "verify_receipt",
    "verify_receipt_async",
]
