import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { transformedSources } from '../doubles/transformed-sources.js';
import { World } from '../world.js';
import { useWorld } from '../use-world.js';
import { type Host, hostOf } from './mcp-clients.js';

/** Starts `agent-job-network mcp` as a local host does. */
const world = useWorld();

const INFO = { name: 'a test', version: '1' };
const PIN = '2026-07-28';

type Process = { readonly command: string; readonly args: string[]; readonly env: { [name: string]: string } };
type Open = (process: Process) => Promise<Host>;

const openOld: Open = async process => {
  const client = new OldClient(INFO);
  await client.connect(new OldStdio(process));
  return hostOf(client);
};
const openModern = (pin?: string): Open => {
  return async process => {
    const client = new ModernClient(INFO, pin === undefined ? {} : { versionNegotiation: { mode: { pin } } });
    await client.connect(new ModernStdio(process));
    return hostOf(client);
  };
};

const CLIENTS: readonly (readonly [string, Open])[] = [
  ['the client of version 1', openOld],
  ['the client of version 2 with the older protocol', openModern()],
  [`the client of version 2, in that of ${PIN}`, openModern(PIN)],
];

/** Returns a host and the messages of its bridge outside the protocol. */
const hostIn = async (process: Process) => {
  const transport = new ModernStdio({ ...process, stderr: 'pipe' });
  const client = new ModernClient(INFO);
  await client.connect(transport);
  return { host: hostOf(client), said: text(transport.stderr as Readable) };
};

/** Returns the settings of a local user with or without an agent. */
function userOf(name: string) {
  const config = join(world.folder, 'config', name);
  mkdirSync(config, { recursive: true });
  const file = join(config, 'agent-job-network', 'identity.json');
  const bridged = (more: { [name: string]: string } = {}): Process => ({
    command: process.execPath,
    args: [join(transformedSources(), 'apps', 'agent', 'main.js'), 'mcp'],
    env: { PATH: process.env['PATH']!, XDG_CONFIG_HOME: config, AGENT_SERVICE: world.url, ...more },
  });
  return { config, bridged, kept: () => JSON.parse(readFileSync(file, 'utf8')) as { [name: string]: string } };
}

describe.each(CLIENTS)('%s', (name, open) => {
  test('reads, joins and acts over the bridge, which keeps the token for the model', async () => {
    const user = userOf(name.replaceAll(' ', '-'));
    const host = await open(user.bridged());
    expect((await host.tools()).length).toBeGreaterThan(20);
    expect(await host.call('find_jobs')).toMatchObject({ structuredContent: { ok: true } });
    expect(await host.call('whoami')).toMatchObject({ isError: true, structuredContent: { code: 'unsigned' } });
    const joined = (await host.call('quickstart', { kind: 'translator' })).structuredContent!;
    expect(user.kept()).toEqual({ service: world.url, muse_id: joined['muse_id'], token: joined['token'] });
    expect((await host.call('whoami')).structuredContent).toMatchObject({ ok: true, muse_id: joined['muse_id'] });
    await host.close();
    const again = await open(user.bridged());
    expect((await again.call('whoami')).structuredContent).toMatchObject({ muse_id: joined['muse_id'] });
    await again.close();
  });
});

test('a token from the environment is used, and no file is written', async () => {
  const ada = await world.agent('Ada of the bridge');
  const { token } = await ada.token({ action: 'issue' });
  const user = userOf('environment');
  const host = await openModern()(user.bridged({ AGENT_TOKEN: token! }));
  expect((await host.call('whoami')).structuredContent).toMatchObject({ muse_id: ada.museId });
  await host.call('quickstart', { kind: 'another' });
  expect((await host.call('whoami')).structuredContent).toMatchObject({ muse_id: ada.museId });
  expect(() => user.kept()).toThrow('ENOENT');
  await host.close();
});

test('two hosts can join together, and the second sees why its token is not saved', async () => {
  const user = userOf('both');
  const [first, second] = [await hostIn(user.bridged()), await hostIn(user.bridged())];
  const kept = (await first.host.call('quickstart', { kind: 'translator' })).structuredContent!;
  const other = (await second.host.call('quickstart', { kind: 'translator' })).structuredContent!;
  expect(user.kept()).toMatchObject({ muse_id: kept['muse_id'], token: kept['token'] });
  expect(other).toMatchObject({ ok: true, token: expect.any(String) });
  const { structuredContent } = await second.host.call('whoami');
  expect(structuredContent).toMatchObject({ muse_id: other['muse_id'] });
  await Promise.all([first.host.close(), second.host.close()]);
  expect(await first.said).toBe('');
  expect(await second.said).toMatch(
    new RegExp(`^The token of ${other['muse_id'] as string} could not be saved\\. .* EEXIST.*\n$`),
  );
});

test('without a writable folder the bridge needs a token to start', async () => {
  const user = userOf('nowhere');
  symlinkSync('nothing', join(user.config, 'agent-job-network'));
  const { command, args, env } = user.bridged();
  const bridge = spawn(command, args, { env });
  const output = text(bridge.stderr);
  bridge.stdin.end();
  expect(await once(bridge, 'exit')).toEqual([1, null]);
  expect(await output).toMatch(
    /^.*agent-job-network is not writable \(\w+\): choose another file with --identity\.\n$/,
  );
  const ada = await world.agent('Ada of nowhere');
  const { token } = await ada.token({ action: 'issue' });
  const { host } = await hostIn(user.bridged({ AGENT_TOKEN: token! }));
  expect((await host.call('whoami')).structuredContent).toMatchObject({ muse_id: ada.museId });
  await host.close();
});

test('a host that leaves before its response causes no error message', async () => {
  const { command, args, env } = userOf('hasty').bridged();
  const bridge = spawn(command, args, { env });
  const output = text(bridge.stderr);
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: INFO };
  bridge.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize })}\n`);
  expect(await once(bridge, 'exit')).toEqual([0, null]);
  expect(await output).toBe('');
});

test('a host gets an error when its service has stopped', async () => {
  const other = await World.start();
  const host = await openModern(PIN)(userOf('ended').bridged({ AGENT_SERVICE: other.url }));
  await host.call('find_jobs');
  await other.stop();
  await expect(host.call('find_jobs')).rejects.toThrow();
  await host.close();
});
