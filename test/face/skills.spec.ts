import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { install, LONG_MS } from '../packed/installing.js';
import { describeOnNewerNode, folder, runModule, world } from './newer-node.js';

const INDEX = '/.well-known/agent-skills/index.json';

describeOnNewerNode('the skills client', 'skills@1.7.4', () => {
  /** Installs the skills of an address for Claude Code into a new folder. */
  async function add(address: string, name: string) {
    const user = await install(join(folder, name));
    const argv = ['add', address, '-y', '-a', 'claude-code', '--copy'];
    const running = runModule(user, 'skills/bin/cli.mjs', argv, { DISABLE_TELEMETRY: '1', HOME: user });
    const said = await running.catch((error: unknown) => error);
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
