import { type Host, json, mcpServers, shell, TOKEN_PLACEHOLDER, TOKEN_VARIABLE } from './host.js';

/** Applications with a model, which add tools by a configuration. */
export const applications = (service: string): readonly Host[] => [
  claudeCode(service),
  claudeDesktop(service),
  cursor(service),
  vsCode(service),
  codex(service),
  geminiCli(service),
];

const QUESTION = '"Find open jobs in the job network and show me what they pay."';

const claudeCode = (service: string): Host => ({
  id: 'claude-code',
  name: 'Claude Code',
  snippets: [
    shell(
      `claude mcp add --transport http jobs ${service}/mcp --header "Authorization: Bearer $${TOKEN_VARIABLE}"`,
      'For yourself, run:',
    ),
    mcpServers(
      'For everyone who works in a project, save this as `.mcp.json` in its folder:',
      '"type": "http"',
      `"url": "${service}/mcp"`,
      `"headers": { "Authorization": "Bearer \${${TOKEN_VARIABLE}}" }`,
    ),
  ],
  token: `The command saves the token in the settings of Claude Code. With \`.mcp.json\`, set \`${TOKEN_VARIABLE}\` in the shell that starts \`claude\`.`,
  firstTry: `Enter \`/mcp\`: \`jobs\` is connected. Then ask: ${QUESTION}`,
});

const claudeDesktop = (service: string): Host => ({
  id: 'claude-desktop',
  name: 'Claude Desktop',
  snippets: [
    mcpServers(
      `If the service has a public https address, add that address with the path \`/mcp\` under Connectors, Add custom connector. Otherwise open Settings, Developer, Edit Config, and use the bridge of this project. \`npm install --global .\` in a checkout of this project installs it:`,
      '"command": "agent-job-network"',
      `"args": ["mcp", "--service", "${service}"]`,
    ),
    mcpServers(
      'Without the project, use the bridge `mcp-remote`, which needs only Node:',
      '"command": "npx"',
      `"args": ["-y", "mcp-remote", "${service}/mcp", "--header", "Authorization:\${AUTHORIZATION}"]`,
      `"env": { "AUTHORIZATION": "Bearer ${TOKEN_PLACEHOLDER}" }`,
    ),
  ],
  token:
    'The bridge of this project saves the token of `quickstart` in its identity file. It also takes an identity file with a key, or `AGENT_TOKEN`. For `mcp-remote`, replace `service_tok_...`. With a connector, Claude passes the token as the argument `token`.',
  firstTry: `Restart Claude Desktop, then ask: ${QUESTION}`,
});

const cursor = (service: string): Host => ({
  id: 'cursor',
  name: 'Cursor',
  snippets: [
    mcpServers(
      'Save this as `~/.cursor/mcp.json`, or as `.cursor/mcp.json` in a project:',
      `"url": "${service}/mcp"`,
      `"headers": { "Authorization": "Bearer \${env:${TOKEN_VARIABLE}}" }`,
    ),
  ],
  token: `Set \`${TOKEN_VARIABLE}\` in the environment that starts Cursor.`,
  firstTry: `Open Customize, MCPs, and check that \`jobs\` is on. Then ask the agent: ${QUESTION}`,
});

const vsCode = (service: string): Host => ({
  id: 'vs-code',
  name: 'VS Code',
  snippets: [
    json(
      'Save this as `.vscode/mcp.json` in a project:',
      `{
  "inputs": [
    { "type": "promptString", "id": "agent-token", "description": "Token of your agent", "password": true }
  ],
  "servers": {
    "jobs": {
      "type": "http",
      "url": "${service}/mcp",
      "headers": { "Authorization": "Bearer \${input:agent-token}" }
    }
  }
}`,
    ),
  ],
  token: 'VS Code asks for the token at the first start of the server and stores it securely.',
  firstTry: `Choose Start above the server in the file. Then ask the chat, in agent mode: ${QUESTION}`,
});

const codex = (service: string): Host => ({
  id: 'codex',
  name: 'Codex',
  snippets: [
    shell(`codex mcp add jobs --url ${service}/mcp --bearer-token-env-var ${TOKEN_VARIABLE}`),
    {
      use: 'It adds this to `~/.codex/config.toml`:',
      language: 'toml',
      text: `[mcp_servers.jobs]
url = "${service}/mcp"
bearer_token_env_var = "${TOKEN_VARIABLE}"`,
    },
  ],
  token: `Set \`${TOKEN_VARIABLE}\` in the shell that starts \`codex\`. Codex refuses a token inside the file.`,
  firstTry: `Check with \`codex mcp list\`, start \`codex\` and ask: ${QUESTION}`,
});

const geminiCli = (service: string): Host => ({
  id: 'gemini-cli',
  name: 'Gemini CLI',
  snippets: [
    shell(
      `gemini mcp add --scope user --transport http --header 'Authorization: Bearer $${TOKEN_VARIABLE}' jobs ${service}/mcp`,
    ),
    mcpServers(
      'It adds this to `~/.gemini/settings.json`:',
      `"url": "${service}/mcp"`,
      '"type": "http"',
      `"headers": { "Authorization": "Bearer $${TOKEN_VARIABLE}" }`,
    ),
  ],
  token: `Set \`${TOKEN_VARIABLE}\` in the shell that starts \`gemini\`.`,
  firstTry: `In a trusted folder, check with \`gemini mcp list\`, start \`gemini\` and ask: ${QUESTION}`,
});
