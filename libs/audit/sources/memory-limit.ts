import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { PublicEvent } from '../public-event.js';
import type { EventSource } from './source.js';

/**
 * How much of the heap what is still needed may take. The limit that V8 names holds what is young too, which on a small
 * heap is a third of it.
 */
const HEAP_SHARE_MAX = 0.5;
/** How much more than after the last collection is taken before the next one is worth its time, as a share of the heap. */
const HEAP_SHARE_STEP = 0.05;

/**
 * The same source, ended with a sentence before what is kept of its events fills the memory. What an audit keeps grows
 * with the log, and a service that does not want to be audited may send events for ever.
 */
export function limitMemory(source: EventSource, shareMax = HEAP_SHARE_MAX): EventSource {
  return { ...source, events: findings => endBeforeFull(source.events(findings), shareMax) };
}

async function* endBeforeFull(events: AsyncIterable<PublicEvent>, shareMax: number): AsyncGenerator<PublicEvent> {
  let [count, lookFrom] = [0, shareMax];
  for await (const event of events) {
    if (heapShare() > lookFrom) {
      // Only now it can be told what is needed from what was not collected yet.
      collectGarbage();
      if (heapShare() > shareMax) throw new Error(memoryFullMessage(count));
      lookFrom = Math.max(shareMax, heapShare() + HEAP_SHARE_STEP);
    }
    count += 1;
    yield event;
  }
}

function heapShare(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used / limit;
}

/** Throws away everything that is needed no more. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

const memoryFullMessage = (count: number) =>
  `After ${count} events the memory is nearly full, and there is no end of them yet. If the log is really that long, ` +
  'give the auditor more: NODE_OPTIONS=--max-old-space-size=<MB>.';
