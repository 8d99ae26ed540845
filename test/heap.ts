import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function collectedMemory(): NodeJS.MemoryUsage {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage();
}
