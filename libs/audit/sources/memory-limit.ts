import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { PublicEvent } from '#libs/audit/public-event.js';
import type { EventSource } from './source.js';

/** V8's limit includes the young generation: 48 MB up to Node 23, which is a third of a small heap. */
const HEAP_SHARE_MAX = 0.5;
const HEAP_SHARE_STEP = 0.05;
/** Three semi-spaces of 64 MB instead of 16 MB from Node 24 on, of which the events get nothing. */
const LARGER_YOUNG_BYTES = parseInt(process.versions.node) < 24 ? 0 : 3 * (64 - 16) * 2 ** 20;

/** Ends the source with an error before the audit fills the memory: a hostile service may send events forever. */
export function limitMemory(source: EventSource, shareMax = HEAP_SHARE_MAX): EventSource {
  return { ...source, events: findings => endBeforeFull(source.events(findings), shareMax) };
}

async function* endBeforeFull(events: AsyncIterable<PublicEvent>, shareMax: number): AsyncGenerator<PublicEvent> {
  let [count, collectFrom] = [0, shareMax];
  for await (const event of events) {
    if (heapShare() > collectFrom) {
      // The heap also contains garbage: collect before measuring.
      collectGarbage();
      if (heapShare() > shareMax) throw new Error(memoryFullMessage(count));
      collectFrom = Math.max(shareMax, heapShare() + HEAP_SHARE_STEP);
    }
    count += 1;
    yield event;
  }
}

function heapShare(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used / (limit - LARGER_YOUNG_BYTES);
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

const memoryFullMessage = (count: number) =>
  `The memory is nearly full after ${count} events, and the log has not ended. If you expect such a long log, ` +
  'give the auditor more memory: NODE_OPTIONS=--max-old-space-size=<MB>.';
