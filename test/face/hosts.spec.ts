import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Snippet } from '#libs/channels/pages/connect/host.js';
import { hostsOf, PAYMENT_NOTES, TOKEN_NOTES, tokenSnippet } from '#libs/channels/pages/connect/hosts.js';
import { transformedSources } from '../doubles/transformed-sources.js';
import { LONG_MS, ROOT, run } from '../packed/installing.js';
import { quickstart, send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import { hostOf, type Host, withModernClient } from './mcp-clients.js';
import { pythonWith } from './python.js';

const read = (name: string) => readFileSync(join(ROOT, 'test', 'face', name), 'utf8');
const NPM = read('hosts-npm.json');
/** CrewAI and LangChain need version 1 of `mcp`. This list has only the packages that they import here. */
const MCP_1 = read('hosts-mcp-1.txt').trim().split('\n');
const MCP_2 = read('hosts-mcp-2.txt').trim().split('\n');
const PINNED = `${NPM}\n${[...MCP_1, ...MCP_2].map(pin => `"${pin.split('==')[0]!}"`).join('\n')}`;
/** A program in place of a host, which prints its arguments. */
const STUB = `#!${process.execPath}\nconsole.log(JSON.stringify(process.argv.slice(2)));\n`;

let world: World;
let folder: string;
let pythons: { readonly mcp1: string; readonly mcp2: string };
let environment: { readonly [name: string]: string };
/** The agent with the token posts a job. */
let poster: string;
let translator: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hosts-'));
  writeFileSync(join(folder, 'package.json'), NPM);
  for (const program of ['claude', 'codex', 'gemini']) writeFileSync(join(folder, program), STUB, { mode: 0o755 });
  const npm = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  const [started, mcp1, mcp2] = await Promise.all([
    World.start(),
    pythonWith('--no-deps', ...MCP_1),
    pythonWith(...MCP_2),
    run(folder, 'npm', npm),
  ]);
  [world, pythons] = [started, { mcp1, mcp2 }];
  const quiet = { CREWAI_DISABLE_TELEMETRY: 'true', OTEL_SDK_DISABLED: 'true' };
  environment = { ...quiet, HOME: folder, XDG_CONFIG_HOME: folder, PATH: `${folder}:${process.env['PATH']!}` };
  const [creation, assignment] = tokenSnippet(world.url).text.split('\n') as [string, string];
  const { token, muse_id: museId } = JSON.parse(await shell(creation)) as { token: string; muse_id: string };
  const assigned = await shell(`${assignment.replace('service_tok_...', token)}\necho $AGENT_TOKEN`);
  environment = { ...environment, AGENT_TOKEN: assigned.trim() };
  poster = museId;
  translator = (await quickstart(world.url, { kind: 'translator', skills: 'french' })).museId;
  const body = { title: 'Say hello', summary: 'One friendly line, in French.', done: 'the page says hello' };
  const headers = { authorization: `Bearer ${token}` };
  expect((await send(world.url, '/api/job', { headers, body: { ...body, skills: 'french' } })).status).toBe(200);
  await world.settle();
}, LONG_MS);

afterAll(async () => {
  await (world as World | undefined)?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const execute = async (command: string, ...argv: string[]) => (await run(folder, command, argv, environment)).stdout;
const shell = (text: string) => execute('sh', '-c', text);

async function profileIn(host: Host): Promise<string> {
  const { structuredContent } = await host.call('whoami');
  await host.close();
  return JSON.stringify(structuredContent);
}

const openAddress = async (url: string, authorization: string) => {
  expect(url).toBe(`${world.url}/mcp`);
  expect(authorization).toBe(`Bearer ${environment['AGENT_TOKEN']!}`);
  return profileIn(await withModernClient()(world.url, environment['AGENT_TOKEN']));
};

/** Replaces variables as the hosts do. */
const expanded = (text: string) =>
  text.replace(/\$(\w+|\{(env:\w+|input:agent-token|\w+)\})|service_tok_\.\.\./, environment['AGENT_TOKEN']!);

interface Entry {
  readonly url: string;
  readonly headers: { readonly Authorization: string };
  readonly command?: string;
  readonly args: readonly string[];
  readonly env?: { readonly AUTHORIZATION: string };
}

const PROGRAMS: { readonly [command: string]: () => readonly [command: string, ...args: string[]] } = {
  'agent-job-network': () => [process.execPath, join(transformedSources(), 'apps', 'agent', 'main.js')],
  npx: () => ['npx', '--offline'],
};

async function openEntry({ url, headers, command, args, env }: Entry): Promise<string> {
  if (command === undefined) return openAddress(url, expanded(headers.Authorization));
  const [program, ...first] = PROGRAMS[command]!();
  const authorization = env && { AUTHORIZATION: expanded(env.AUTHORIZATION) };
  const client = new Client({ name: 'a test', version: '1' });
  const process = { command: program, args: [...first, ...args], env: { ...environment, ...authorization } };
  await client.connect(new StdioClientTransport({ ...process, cwd: folder, stderr: 'ignore' }));
  return profileIn(hostOf(client));
}

/** Runs a snippet and returns its output, which names the agent. */
const RUN: { readonly [language in Snippet['language']]: (text: string, id: string) => Promise<string> } = {
  sh: async text => {
    const [program, verb] = text.split(' ');
    if (verb === 'install') {
      const named = text.match(/(?<= '?)@?[a-z][\w./-]+(?=[\s'[>]|$)/g)!.slice(1);
      expect(named.filter(name => !PINNED.includes(`"${name}"`))).toEqual([]);
      return poster;
    }
    const output = await shell(text);
    if (program === 'curl') return output;
    const argv = JSON.parse(output) as readonly string[];
    const header = argv.find(each => each.startsWith('Authorization: '))?.slice('Authorization: '.length);
    return openAddress(
      argv.find(each => each.startsWith('http://'))!,
      expanded(header ?? `Bearer $${argv.at(-1)!}`),
    );
  },
  json: async text => {
    const { mcpServers, servers } = JSON.parse(text) as { [name: string]: { jobs: Entry } };
    return openEntry((mcpServers ?? servers)!.jobs);
  },
  toml: async text => {
    const parse = 'import json, sys, tomllib; print(json.dumps(tomllib.loads(sys.argv[1])))';
    const { mcp_servers: servers } = JSON.parse(await execute(pythons.mcp2, '-c', parse, text)) as {
      mcp_servers: { jobs: { url: string; bearer_token_env_var: string } };
    };
    return openAddress(servers.jobs.url, `Bearer ${environment[servers.jobs.bearer_token_env_var]!}`);
  },
  python: (text, id) => execute(/langchain|crewai/.test(id) ? pythons.mcp1 : pythons.mcp2, '-c', text),
  js: text => {
    writeFileSync(join(folder, 'program.mjs'), text);
    return execute(process.execPath, 'program.mjs');
  },
};

const CASES = hostsOf('').flatMap(({ id, name, snippets }) =>
  snippets.map(({ language }, at) => [`${name}, snippet ${at + 1} (${language})`, id, at] as const),
);

test.each(CASES)(
  '%s works',
  async (_title, id, at) => {
    const { language, text } = hostsOf(world.url).find(host => host.id === id)!.snippets[at]!;
    expect(await RUN[language](text, id)).toContain(id === 'a2a-sdk' && !/install/.test(text) ? translator : poster);
  },
  LONG_MS,
);

test('the notes name the tools without a token and the tools that cost money', async () => {
  const host = await withModernClient()(world.url);
  const tools = await host.tools();
  await host.close();
  const named = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
  const withText = (pattern: RegExp) => tools.filter(tool => pattern.test(tool.description!)).map(tool => tool.name);
  const free = tools.map(tool => tool.name).filter(name => !withText(/Needs a token/).includes(name));
  expect(named(/these work: (.*?)\. The/.exec(TOKEN_NOTES)![1]!)).toEqual(free);
  expect(named(PAYMENT_NOTES.split('may cost')[0]!)).toEqual(withText(/May cost/));
});

test('the log of the hosts passes the audit', async () => expect(await world.audit()).toEqual(CLEAN));
