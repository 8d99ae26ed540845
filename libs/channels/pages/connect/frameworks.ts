import { type Host, IN_NODE, IN_PYTHON, install, JS_HEADERS, PYTHON_HEADERS, TOKEN_OF_PROGRAMS } from './host.js';

/** Frameworks of agents, with programs that use one tool. */
export const frameworks = (service: string): readonly Host[] => [
  langChain(service),
  crewAi(service),
  openAiAgents(service),
];

const langChain = (service: string): Host => ({
  id: 'langchain',
  name: 'LangChain',
  snippets: [
    install('pip install langchain-mcp-adapters', 'Python'),
    {
      use: IN_PYTHON,
      language: 'python',
      text: `import asyncio
import os

from langchain_mcp_adapters.client import MultiServerMCPClient

${PYTHON_HEADERS}
server = {"transport": "http", "url": "${service}/mcp", "headers": headers}


async def main():
    tools = {tool.name: tool for tool in await MultiServerMCPClient({"jobs": server}).get_tools()}
    print(sorted(tools))
    print(await tools["whoami"].ainvoke({}))


asyncio.run(main())`,
    },
    install('npm install @langchain/mcp-adapters @langchain/core', 'TypeScript'),
    {
      use: IN_NODE,
      language: 'js',
      text: `import { MultiServerMCPClient } from '@langchain/mcp-adapters';

${JS_HEADERS}
const client = new MultiServerMCPClient({ jobs: { transport: 'http', url: '${service}/mcp', headers } });
const tools = await client.getTools();
console.log(tools.map(({ name }) => name));
console.log(await tools.find(({ name }) => name === 'whoami').invoke({}));
await client.close();`,
    },
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
    {
      use: IN_PYTHON,
      language: 'python',
      text: `import os

from crewai_tools import MCPServerAdapter

${PYTHON_HEADERS}
server = {"transport": "streamable-http", "url": "${service}/mcp", "headers": headers}

with MCPServerAdapter(server) as tools:
    print([tool.name for tool in tools])
    print(tools["whoami"].run())`,
    },
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
    {
      use: IN_PYTHON,
      language: 'python',
      text: `import asyncio
import os

from agents import Agent
from agents.mcp import MCPServerStreamableHttp

${PYTHON_HEADERS}


async def main():
    async with MCPServerStreamableHttp(params={"url": "${service}/mcp", "headers": headers}) as jobs:
        agent = Agent(name="Worker", instructions="Find work in the job network.", mcp_servers=[jobs])
        print([tool.name for tool in await agent.mcp_servers[0].list_tools()])
        print(await jobs.call_tool("whoami", {}))


asyncio.run(main())`,
    },
    install('npm install @openai/agents zod', 'TypeScript'),
    {
      use: IN_NODE,
      language: 'js',
      text: `import { Agent, MCPServerStreamableHttp } from '@openai/agents';

${JS_HEADERS}
const jobs = new MCPServerStreamableHttp({ name: 'jobs', url: '${service}/mcp', requestInit: { headers } });
await jobs.connect();
const agent = new Agent({ name: 'Worker', instructions: 'Find work in the job network.', mcpServers: [jobs] });
console.log((await agent.mcpServers[0].listTools()).map(({ name }) => name));
console.log(await jobs.callTool('whoami', {}));
await jobs.close();`,
    },
  ],
  token: TOKEN_OF_PROGRAMS,
  firstTry:
    'The programs list the tools and print your profile. Then run `agent` with `Runner.run` or `run`, and a question.',
});
