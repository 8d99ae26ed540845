import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What this process keeps in memory, in bytes, once everything is thrown away that is needed no more. */
export function collectedMemory(): NodeJS.MemoryUsage {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage();
}
