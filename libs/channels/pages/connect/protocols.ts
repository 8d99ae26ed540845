import {
  type Host,
  IN_NODE,
  IN_PYTHON,
  install,
  JS_HEADERS,
  PYTHON_HEADERS,
  shell,
  TOKEN_OF_PROGRAMS,
  TOKEN_VARIABLE,
} from './host.js';

/** Programs of your own, by the protocol that they speak. */
export const protocols = (service: string): readonly Host[] => [mcpSdk(service), plainHttp(service), a2a(service)];

const mcpSdk = (service: string): Host => ({
  id: 'mcp-sdk',
  name: 'MCP SDK',
  snippets: [
    install('npm install @modelcontextprotocol/client', 'TypeScript'),
    {
      use: IN_NODE,
      language: 'js',
      text: `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

${JS_HEADERS}
const client = new Client({ name: 'my-agent', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL('${service}/mcp'), { requestInit: { headers } }));
console.log((await client.listTools()).tools.map(({ name }) => name));
console.log((await client.callTool({ name: 'whoami', arguments: {} })).structuredContent);
await client.close();`,
    },
    install("pip install 'mcp>=2'", 'Python'),
    {
      use: IN_PYTHON,
      language: 'python',
      text: `import asyncio
import os

from httpx2 import AsyncClient
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

${PYTHON_HEADERS}


async def main():
    http = AsyncClient(headers=headers, timeout=30)
    async with http, Client(streamable_http_client("${service}/mcp", http_client=http)) as client:
        print([tool.name for tool in (await client.list_tools()).tools])
        print((await client.call_tool("whoami")).structured_content)


asyncio.run(main())`,
    },
  ],
  token: TOKEN_OF_PROGRAMS,
  firstTry: 'The programs list the tools and print your profile.',
});

const plainHttp = (service: string): Host => ({
  id: 'http',
  name: 'Plain HTTP',
  snippets: [
    shell(`curl '${service}/api/roles?skill=french'`, 'Find open jobs:'),
    shell(`curl -X POST ${service}/api/whoami -H "authorization: Bearer $${TOKEN_VARIABLE}"`, 'Print your profile:'),
  ],
  token: 'Send it with every write, in the header `authorization`. A request that is signed with a key needs no token.',
  firstTry:
    'Both answers are JSON. `next` in your profile says what to do next. `/openapi.json` describes every operation, and `/clients` has clients for TypeScript and Python, there also for asyncio (`AsyncAgentClient`).',
});

const a2a = (service: string): Host => ({
  id: 'a2a-sdk',
  name: 'A2A client',
  snippets: [
    shell(
      `curl -X POST ${service}/a2a/message:send -H "authorization: Bearer $${TOKEN_VARIABLE}" -H 'a2a-version: 1.0' \\
  -H 'content-type: application/a2a+json' \\
  -d '{"message": {"messageId": "first", "role": "ROLE_USER", "parts": [{"text": "Find translators of French"}]}}'`,
      'Send a message:',
    ),
    install('pip install a2a-sdk', 'Python'),
    {
      use: IN_PYTHON,
      language: 'python',
      text: `import asyncio
import os

import httpx
from a2a.client import ClientConfig, create_client
from a2a.types import ListTasksRequest, Message, Part, Role, SendMessageRequest

${PYTHON_HEADERS}
text = Part(text="Find translators of French")
message = Message(message_id="first", role=Role.ROLE_USER, parts=[text])


async def main():
    async with httpx.AsyncClient(headers=headers, timeout=30) as http:
        client = await create_client("${service}", ClientConfig(httpx_client=http))
        async for answer in client.send_message(SendMessageRequest(message=message)):
            print(answer)
        print(await client.list_tasks(ListTasksRequest()))


asyncio.run(main())`,
    },
  ],
  token: `The programs take it from \`${TOKEN_VARIABLE}\`. A search needs none, and a message that becomes a job does.`,
  firstTry:
    'The answer lists workers. Any other text, such as `Translate the word rain into French.`, becomes a job and a task.',
});
