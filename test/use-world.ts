import { afterAll, beforeAll, expect } from '@jest/globals';
import { CLEAN, World, type WorldOptions } from './world.js';

/** Starts a world before the tests of a file or block. After them, audits its log and stops it. */
export const useWorld = (options: WorldOptions | (() => Promise<World>) = {}): World =>
  useStarted(typeof options === 'function' ? options : () => World.start(options));

/** Uses the service that files of this worker share. See `World.share`. */
export const useSharedWorld = (): World => useStarted(() => World.share(expect.getState().testPath ?? ''));

export function useStarted<W extends Pick<World, 'audit' | 'stop'>>(start: () => Promise<W>): W {
  let world: W | undefined;
  beforeAll(async () => void (world = await start()));
  afterAll(async () => {
    try {
      if (world) expect(await world.audit()).toEqual(CLEAN);
    } finally {
      // A world that keeps running keeps its chain nodes.
      await world?.stop();
    }
  });
  return lazily(() => world!);
}

/** Gets each member from an object that is made only before the tests run. */
export const lazily = <T extends object>(find: () => T): T =>
  new Proxy({} as T, {
    get: (_target, name) => {
      const member: unknown = Reflect.get(find(), name);
      return typeof member === 'function' ? (member.bind(find()) as unknown) : member;
    },
    set: (_target, name, value) => Reflect.set(find(), name, value),
  });
