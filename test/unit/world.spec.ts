import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { newFolder, World } from '../world.js';

test('a world whose service does not start leaves nothing that keeps the tests from ending', async () => {
  const folder = newFolder();
  await expect(World.start({ folder, settings: { CHAIN: 'moon' } })).rejects.toThrow('CHAIN');
  expect(existsSync(folder)).toBe(false);
  // The loop lets go of a closed server a turn later.
  await new Promise(resolve => setTimeout(resolve, 50));
  expect(process.getActiveResourcesInfo().filter(name => name === 'TCPServerWrap')).toEqual([]);
});
