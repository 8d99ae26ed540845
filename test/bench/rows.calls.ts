import { type CountedCall, countCalls } from '../eventstoredb-calls.js';
import type { CallCounts } from '../doubles/eventstoredb/call-counts.js';
import type { Row } from './report.js';

const REQUESTS = 10;
/** Goals for calls per request: the events it writes, one append per stream, and little else. */
const GOALS: { readonly [what in CountedCall]: { readonly floor: number; readonly aim: number } } = {
  'free job by token': { floor: 4, aim: 2 },
  '32 at once': { floor: 1.5, aim: 1.1 },
  application: { floor: 7, aim: 2 },
  post: { floor: 4, aim: 2 },
  hire: { floor: 10, aim: 4 },
  'paid job': { floor: 32, aim: 12 },
  health: { floor: 3, aim: 1 },
  idle: { floor: 4, aim: 2 },
};

/** Calls to EventStoreDB by one gateway with its own projections, counted on a double. */
export async function calls(): Promise<Row[]> {
  const counted = await countCalls(REQUESTS);
  return Object.entries(counted).map(([what, counts]) => {
    const name = what === 'idle' ? 'calls of EventStoreDB in an idle second' : `calls of EventStoreDB: ${what}`;
    return { name, ratio: sum(counts), ...GOALS[what as CountedCall], better: 'less', figures: figuresOf(counts) };
  });
}

const sum = (counts: CallCounts) =>
  Object.values(counts as object).reduce((sum: number, each: number) => sum + each, 0);

const figuresOf = ({ append, stream, forwards, backwards, subscription }: CallCounts) =>
  `${append} appends, ${stream} stream reads, ${forwards} pages, ${backwards} heads, ${subscription} subscriptions`;
