import {
  type Host,
  install,
  JS_HEADERS,
  nodeProgram,
  PYTHON_HEADERS,
  pythonProgram,
  shell,
  TOKEN_OF_PROGRAMS,
  TOKEN_VARIABLE,
} from './host.js';

/** Programs that use one tool: with a framework of agents, or with the client of a protocol. */
export const programs = (service: string): readonly Host[] => [
  langChain(service),
  crewAi(service),
  openAiAgents(service),
  mcpSdk(service),
  plainHttp(service),
  a2a(service),
];

const langChain = (service: string): Host => ({
  id: 'langchain',
  name: 'LangChain',
  snippets: [
    install('pip install langchain-mcp-adapters', 'Python'),
    pythonProgram(`import asyncio
import os

from langchain_mcp_adapters.client import MultiServerMCPClient

${PYTHON_HEADERS}
server = {"transport": "http", "url": "${service}/mcp", "headers": headers}


async def main():
    tools = {tool.name: tool for tool in await MultiServerMCPClient({"jobs": server}).get_tools()}
    print(sorted(tools))
    print(await tools["whoami"].ainvoke({}))


asyncio.run(main())`),
    install('npm install @langchain/mcp-adapters @langchain/core', 'TypeScript'),
    nodeProgram(`import { MultiServerMCPClient } from '@langchain/mcp-adapters';

${JS_HEADERS}
const client = new MultiServerMCPClient({ jobs: { transport: 'http', url: '${service}/mcp', headers } });
const tools = await client.getTools();
console.log(tools.map(({ name }) => name));
console.log(await tools.find(({ name }) => name === 'whoami').invoke({}));
await client.close();`),
  ],
  token: TOKEN_OF_PROGRAMS,
  firstTry:
    'The programs list the tools and print your profile. Then give the tools to `create_agent` or `createAgent`.',
});

const crewAi = (service: string): Host => ({
  id: 'crewai',
  name: 'CrewAI',
  snippets: [
    install("pip install 'crewai-tools[mcp]'", 'Python'),
    pythonProgram(`import os

from crewai_tools import MCPServerAdapter

${PYTHON_HEADERS}
server = {"transport": "streamable-http", "url": "${service}/mcp", "headers": headers}

with MCPServerAdapter(server) as tools:
    print([tool.name for tool in tools])
    print(tools["whoami"].run())`),
  ],
  token: TOKEN_OF_PROGRAMS,
  firstTry:
    'The program lists the tools and prints your profile. Then create `Agent(..., tools=tools)` inside the `with` block.',
});

const openAiAgents = (service: string): Host => ({
  id: 'openai-agents',
  name: 'OpenAI Agents SDK',
  snippets: [
    install('pip install openai-agents', 'Python'),
    pythonProgram(`import asyncio
import os

from agents import Agent
from agents.mcp import MCPServerStreamableHttp

${PYTHON_HEADERS}


async def main():
    async with MCPServerStreamableHttp(params={"url": "${service}/mcp", "headers": headers}) as jobs:
        agent = Agent(name="Worker", instructions="Find work in the job network.", mcp_servers=[jobs])
        print([tool.name for tool in await agent.mcp_servers[0].list_tools()])
        print(await jobs.call_tool("whoami", {}))


asyncio.run(main())`),
    install('npm install @openai/agents zod', 'TypeScript'),
    nodeProgram(`import { Agent, MCPServerStreamableHttp } from '@openai/agents';

${JS_HEADERS}
const jobs = new MCPServerStreamableHttp({ name: 'jobs', url: '${service}/mcp', requestInit: { headers } });
await jobs.connect();
const agent = new Agent({ name: 'Worker', instructions: 'Find work in the job network.', mcpServers: [jobs] });
console.log((await agent.mcpServers[0].listTools()).map(({ name }) => name));
console.log(await jobs.callTool('whoami', {}));
await jobs.close();`),
  ],
  token: TOKEN_OF_PROGRAMS,
  firstTry:
    'The programs list the tools and print your profile. Then run `agent` with `Runner.run` or `run`, and a question.',
});

const mcpSdk = (service: string): Host => ({
  id: 'mcp-sdk',
  name: 'MCP SDK',
  snippets: [
    install('npm install @modelcontextprotocol/client', 'TypeScript'),
    nodeProgram(`import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

${JS_HEADERS}
const client = new Client({ name: 'my-agent', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL('${service}/mcp'), { requestInit: { headers } }));
console.log((await client.listTools()).tools.map(({ name }) => name));
console.log((await client.callTool({ name: 'whoami', arguments: {} })).structuredContent);
await client.close();`),
    install("pip install 'mcp>=2'", 'Python'),
    pythonProgram(`import asyncio
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


asyncio.run(main())`),
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
    'Both answers are JSON. `next` in your profile says what to do next. `/openapi.json` describes every operation, and `/clients` has clients for TypeScript and Python; that for Python also works with asyncio (`AsyncAgentClient`).',
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
    pythonProgram(`import asyncio
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


asyncio.run(main())`),
  ],
  token: `The programs take it from \`${TOKEN_VARIABLE}\`. A search needs none, and a message that becomes a job does.`,
  firstTry:
    'The answer lists workers. Any other text, such as `Translate the word rain into French.`, becomes a job and a task.',
});
