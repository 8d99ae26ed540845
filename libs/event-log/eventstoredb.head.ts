import { setImmediate as turn } from 'node:timers/promises';
import type { Client } from './eventstoredb.client.js';
import { isInvalidPosition } from './eventstoredb.errors.js';
import { isOwnRecord, type ServerRecord } from './eventstoredb.records.js';

/** How many records the search for the newest event fetches: the first is it, nearly always. */
const BACKWARDS_RECORDS = [1, 64, 1_000];

/**
 * The newest event's commit position, asked once for all who want to know it at the same time. What was looked at once
 * is not looked at again.
 */
export class LogHead {
  private end: bigint | null = null;
  private newest: bigint | null = null;
  private asking: Promise<unknown> = Promise.resolve();
  private gathering: Promise<bigint | null> | undefined;

  constructor(private readonly client: Client) {}

  /** As of this call or a moment later; null in an empty log. */
  now(): Promise<bigint | null> {
    this.gathering ??= this.gather();
    return this.gathering;
  }

  /**
   * Whether the log has come to a place. Behind its end there is nothing to read, and within a record a server refuses to;
   * where a record of its own was scavenged it answers the next one. 23.10 refuses in the same words when it cannot read
   * at all, so it has to refuse twice, and to read from its end in between.
   */
  async hasReached(commit: bigint): Promise<boolean> {
    if (await this.isPlace(commit)) return true;
    await this.client.readBackwards('end', 1);
    return this.isPlace(commit);
  }

  private async isPlace(commit: bigint): Promise<boolean> {
    try {
      return (await this.client.readAt(commit)) !== undefined;
    } catch (error) {
      if (isInvalidPosition(error)) return false;
      throw error;
    }
  }

  /** An answer that is under way may be older than the call: whoever comes meanwhile is answered by the next one. */
  private async gather(): Promise<bigint | null> {
    await this.asking;
    await turn();
    this.gathering = undefined;
    const found = this.find();
    this.asking = found.catch(() => undefined);
    return found;
  }

  private async find(): Promise<bigint | null> {
    let end: bigint | null = null;
    let from: bigint | 'end' = 'end';
    for (let step = 0; ; step += 1) {
      const count = BACKWARDS_RECORDS[Math.min(step, BACKWARDS_RECORDS.length - 1)]!;
      const records = await this.client.readBackwards(from, count);
      end ??= records[0]?.commit ?? null;
      const found = this.among(records);
      if (found !== undefined) return this.remember(end, found);
      if (records.length < count) return this.remember(end, null);
      from = records.at(-1)!.commit;
    }
  }

  private among(records: readonly ServerRecord[]): bigint | null | undefined {
    for (const record of records) {
      if (this.end !== null && record.commit <= this.end) return this.newest;
      if (isOwnRecord(record)) return record.commit;
    }
    return undefined;
  }

  private remember(end: bigint | null, newest: bigint | null): bigint | null {
    if (end !== null && (this.end === null || end > this.end)) {
      this.end = end;
      this.newest = newest;
    }
    return newest;
  }
}
