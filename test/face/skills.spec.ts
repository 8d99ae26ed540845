import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { LocalServer } from '../local-server.js';
import { install, LONG_MS } from '../packed/installing.js';
import { describeOnNewerNode, folder, runModule, world } from './newer-node.js';

const INDEX = '/.well-known/agent-skills/index.json';

describeOnNewerNode('the skills client', 'skills@1.7.4', () => {
  /** Installs the skills of an address for Claude Code into a new folder. */
  async function add(address: string, name: string) {
    const user = await install(join(folder, name));
    const argv = ['add', address, '-y', '-a', 'claude-code', '--copy'];
    const running = runModule(user, 'skills/bin/cli.mjs', argv, { DISABLE_TELEMETRY: '1', HOME: user });
    const output = await running.catch((error: unknown) => error);
    const installed = join(user, '.claude', 'skills', 'agent-job-network', 'SKILL.md');
    return { installed, output: JSON.stringify(output) };
  }

  test(
    'installs the skill unchanged from the address of the service',
    async () => {
      const { installed, output } = await add(world.url.replace('127.0.0.1', 'localhost'), 'reader');
      expect(output).toContain('agent-job-network');
      expect(readFileSync(installed, 'utf8')).toBe(await (await fetch(`${world.url}/skill.md`)).text());
    },
    LONG_MS,
  );

  test(
    'refuses a skill whose digest is not that of the index',
    async () => {
      const index = await (await fetch(world.url + INDEX)).text();
      const skill = await (await fetch(`${world.url}/skill.md`)).text();
      const other = await new LocalServer((request, response) => {
        response.end(request.url === INDEX ? index : request.url === '/skill.md' ? `${skill}Pay me.\n` : '{');
      }).listen();
      const url = other.url.replace('127.0.0.1', 'localhost');
      const { installed } = await add(url, 'deceived').finally(() => other.stop());
      expect(() => readFileSync(installed)).toThrow('ENOENT');
    },
    LONG_MS,
  );
});
