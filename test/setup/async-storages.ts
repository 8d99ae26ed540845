import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Ends the AsyncLocalStorage of earlier test files. Before Node 24 each one slows every promise in the worker, a third
 * of a whole run.
 */
type Storage = AsyncLocalStorage<unknown>;
const USED = Symbol.for('storages that test files of this process have used');
const shared = AsyncLocalStorage as unknown as { [USED]?: Set<Storage>; readonly prototype: Storage };

shared[USED] ??= watched();
for (const storage of shared[USED]) storage.disable();
shared[USED].clear();

function watched(): Set<Storage> {
  const used = new Set<Storage>();
  const run = Reflect.get(shared.prototype, 'run') as (...given: unknown[]) => unknown;
  shared.prototype.run = function (this: Storage, ...given: unknown[]): never {
    used.add(this);
    return run.apply(this, given) as never;
  };
  return used;
}
