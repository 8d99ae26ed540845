import { setImmediate as turn } from 'node:timers/promises';
import type { Client } from './eventstoredb.client.js';
import { isInvalidPosition } from './eventstoredb.errors.js';
import { isOwnRecord, type ServerRecord } from './eventstoredb.records.js';

const STEP_RECORDS = 200;
const BACKWARDS_RECORDS = [1, 64, 1_000];

/** Commit position of the newest event. Concurrent callers share one request, and no record is examined twice. */
export class LogHead {
  private end: bigint | null = null;
  private newest: bigint | null = null;
  private runningRequest: Promise<unknown> = Promise.resolve();
  private nextRequest: Promise<bigint | null> | undefined;

  constructor(private readonly client: Client) {}

  now(): Promise<bigint | null> {
    this.nextRequest ??= this.startNextRequest();
    return this.nextRequest;
  }

  /**
   * A server refuses a position inside a record and returns the next record for a scavenged one. 23.10 refuses in the
   * same words when it cannot read at all, so it must refuse twice with a successful read in between.
   */
  async hasReached(commit: bigint): Promise<boolean> {
    if (await this.hasRecordAt(commit)) return true;
    await this.client.readBackwards('end', 1);
    return this.hasRecordAt(commit);
  }

  /** Id of the record at a position; null if none begins there. */
  async idAt(commit: bigint): Promise<string | null> {
    if (!(await this.hasReached(commit))) return null;
    const record = await this.client.readAt(commit);
    return record?.commit === commit ? record.id : null;
  }

  /** A read backwards from a position leaves its record out. */
  async stepBack(commit: bigint, count: number): Promise<bigint | null> {
    let [from, missing] = [commit, count];
    for (;;) {
      const records = await this.client.readBackwards(from, STEP_RECORDS);
      const own = records.filter(isOwnRecord);
      if (own.length >= missing) return own[missing - 1]!.commit;
      if (records.length < STEP_RECORDS) return null;
      missing -= own.length;
      from = records.at(-1)!.commit;
    }
  }

  private async hasRecordAt(commit: bigint): Promise<boolean> {
    try {
      return (await this.client.readAt(commit)) !== undefined;
    } catch (error) {
      if (isInvalidPosition(error)) return false;
      throw error;
    }
  }

  /** A request under way may have missed the newest event, so later callers share the next one. */
  private async startNextRequest(): Promise<bigint | null> {
    await this.runningRequest;
    await turn();
    this.nextRequest = undefined;
    const commit = this.readNewest();
    this.runningRequest = commit.catch(() => undefined);
    return commit;
  }

  private async readNewest(): Promise<bigint | null> {
    let end: bigint | null = null;
    let from: bigint | 'end' = 'end';
    for (let step = 0; ; step += 1) {
      const count = BACKWARDS_RECORDS[Math.min(step, BACKWARDS_RECORDS.length - 1)]!;
      const records = await this.client.readBackwards(from, count);
      end ??= records[0]?.commit ?? null;
      // Forgets records that the server no longer has.
      if (step === 0 && this.end !== null && (end === null || end < this.end)) this.end = this.newest = null;
      const commit = this.findNewest(records);
      if (commit !== undefined) return this.store(end, commit);
      if (records.length < count) return this.store(end, null);
      from = records.at(-1)!.commit;
    }
  }

  private findNewest(records: readonly ServerRecord[]): bigint | null | undefined {
    for (const record of records) {
      if (this.end !== null && record.commit <= this.end) return this.newest;
      if (isOwnRecord(record)) return record.commit;
    }
    return undefined;
  }

  private store(end: bigint | null, newest: bigint | null): bigint | null {
    if (end !== null && (this.end === null || end > this.end)) {
      this.end = end;
      this.newest = newest;
    }
    return newest;
  }
}
