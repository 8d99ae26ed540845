"""Tokens that this client pays with, as in their EIP-712 domains. Offers of other tokens are declined."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class KnownToken:
    rail: str
    # CAIP-2.
    network: str
    chain_id: int
    asset: str
    name: str
    version: str


# In order of preference. Both have 6 decimals.
KNOWN_TOKENS: tuple[KnownToken, ...] = (
    KnownToken(
        rail="usdc-base",
        network="eip155:8453",
        chain_id=8453,
        asset="0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
        name="USD Coin",
        version="2",
    ),
    KnownToken(
        rail="usdg-robinhood",
        network="eip155:4663",
        chain_id=4663,
        asset="0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168",
        name="Global Dollar",
        version="1",
    ),
)
