import { afterAll, beforeAll, expect } from '@jest/globals';
import { CLEAN, World, type WorldOptions } from './world.js';

/** Starts a world before the tests of a file or block. After them, audits its log and stops it. */
export function useWorld(options: WorldOptions = {}): World {
  let world: World | undefined;
  beforeAll(async () => void (world = await World.start(options)));
  afterAll(async () => {
    const told = await world?.audit();
    await world?.stop();
    expect(told).toEqual(CLEAN);
  });
  return new Proxy({} as World, {
    get: (_target, name) => {
      const member: unknown = Reflect.get(world!, name);
      return typeof member === 'function' ? (member.bind(world) as unknown) : member;
    },
  });
}
