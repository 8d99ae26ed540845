import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { PublicEvent } from '../public-event.js';
import type { EventSource } from './source.js';

/** How much of the heap may be taken by what is still needed, as it is right after everything else was thrown away. */
const HEAP_SHARE_MAX = 0.75;

/**
 * The same source, ended with a sentence before what is kept of its events fills the memory. What an audit keeps grows
 * with the log, and a service that does not want to be audited may send events for ever.
 */
export function withinMemory(source: EventSource, shareMax = HEAP_SHARE_MAX): EventSource {
  return { ...source, events: findings => bounded(source.events(findings), shareMax) };
}

async function* bounded(events: AsyncIterable<PublicEvent>, shareMax: number): AsyncGenerator<PublicEvent> {
  let [count, isFull] = [0, false];
  // Only a full collection tells what is needed from what was not collected yet.
  const observer = new PerformanceObserver(list => {
    const isWhole = list.getEntries().some(entry => kindOf(entry) === constants.NODE_PERFORMANCE_GC_MAJOR);
    isFull ||= isWhole && shareOfHeap() > shareMax;
  });
  observer.observe({ entryTypes: ['gc'] });
  try {
    for await (const event of events) {
      if (isFull) throw new Error(tooMuch(count));
      count += 1;
      yield event;
    }
  } finally {
    observer.disconnect();
  }
}

/** Node adds `detail` to its own entries; the types of the standard have none. */
const kindOf = (entry: object) => (entry as { readonly detail?: { readonly kind?: number } }).detail?.kind;

function shareOfHeap(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used / limit;
}

const tooMuch = (count: number) =>
  `After ${count} events the memory is nearly full, and there is no end of them yet. If the log is really that long, ` +
  'give the auditor more: NODE_OPTIONS=--max-old-space-size=<MB>.';
