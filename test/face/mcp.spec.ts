import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { World } from '../world.js';
import { CLIENTS, type Host } from './mcp-clients.js';

let world: World;
beforeAll(async () => void (world = await World.start()));
afterAll(() => world.stop());

describe.each(CLIENTS)('%s', (_name, connect) => {
  let host: Host;
  beforeAll(async () => void (host = await connect(world.url)));
  afterAll(() => host.close());

  test('lists the tools, and says what they are for', async () => {
    const tools = await host.tools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['quickstart', 'find_jobs', 'apply', 'pay']));
    expect(host.instructions()).toContain('quickstart');
  });

  test('reads without a key', async () => {
    expect(await host.call('find_jobs')).toMatchObject({ structuredContent: { ok: true, roles: [] } });
  });

  test('is told what to do without a token', async () => {
    const refused = await host.call('apply', { role: 'job-1', note: 'Me.' });
    expect(refused).toMatchObject({ isError: true, structuredContent: { ok: false, code: 'unsigned' } });
  });
});
