import type { Client } from './eventstoredb.client.js';
import type { ForeignEventCount } from './event-log.port.js';
import { isForeignRecord } from './eventstoredb.records.js';

const PAGE_RECORDS = 1_000;

/** Reads the whole log: the server cannot filter by metadata. */
export async function countForeignEvents(client: Client, timeLimitMs: number): Promise<ForeignEventCount> {
  const end = performance.now() + timeLimitMs;
  let from: bigint | 'start' = 'start';
  for (let count = 0; ;) {
    const records = await client.readForwards(from, PAGE_RECORDS);
    count += records.filter(record => record.commit !== from && isForeignRecord(record)).length;
    const isComplete = records.length < PAGE_RECORDS;
    if (isComplete || performance.now() > end) return { count, isComplete };
    from = records.at(-1)!.commit;
  }
}
