"""Joins as an MCP host and pays for a tool with the client of x402."""

import asyncio
import sys
from types import SimpleNamespace

from eth_account import Account
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client
from x402 import x402Client
from x402.mcp import x402MCPClient
from x402.mechanisms.evm.exact import register_exact_evm_client

service, wallet_key = sys.argv[1:]
payer = Account.from_key(wallet_key)


class Session:
    """Adapts a session of the MCP package to the client of x402."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session

    async def call_tool(self, params, read_timeout_seconds=None, **_options):
        result = await self.session.call_tool(
            params["name"], params["arguments"], read_timeout_seconds=read_timeout_seconds, meta=params.get("_meta")
        )
        # Named `meta` in the session.
        return SimpleNamespace(**{**dict(result), "_meta": result.meta})


async def main() -> None:
    async with streamablehttp_client(f"{service}/mcp") as (read, write, _session_id):
        async with ClientSession(read, write) as session:
            await session.initialize()
            await session.list_tools()
            joined = await session.call_tool("quickstart", {"name": "Payer of Python"})
            token = joined.structuredContent["token"]
            paying = x402MCPClient(Session(session), register_exact_evm_client(x402Client(), payer))
            arguments = {"token": token, "wallet": payer.address, "idempotency_key": "k" * 32}
            paid = await paying.call_tool("verify", arguments)
            assert paid.payment_made and not paid.is_error, paid
            assert paid.payment_response.success, paid
            who = await session.call_tool("whoami", {"token": token})
            assert who.structuredContent["wallet"].lower() == payer.address.lower(), who
            print("paid", paid.payment_response.transaction)


asyncio.run(main())
