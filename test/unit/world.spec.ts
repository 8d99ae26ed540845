import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { newFolder, World } from '../world.js';

test('a world whose service fails to start releases its resources', async () => {
  const folder = newFolder();
  await expect(World.start({ folder, settings: { CHAIN: 'moon' } })).rejects.toThrow('CHAIN');
  expect(existsSync(folder)).toBe(false);
  // A closed server is released in a later turn of the event loop.
  await new Promise(resolve => setTimeout(resolve, 50));
  expect(process.getActiveResourcesInfo().filter(name => name === 'TCPServerWrap')).toEqual([]);
});
