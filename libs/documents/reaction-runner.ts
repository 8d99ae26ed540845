import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '#libs/event-log/journal.js';
import { isUnreadable } from '#libs/event-log/unreadable-event.js';
import { WakeSignal } from '#libs/event-log/wake-signal.js';
import { type Clock, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { type Event, type Position, LOG_START } from '#libs/kernel/event.js';
import { RetryFailureLog } from '#libs/platform/outages/retry-failure-log.js';
import type { Projection } from '#libs/kernel/projection.js';
import { LeaseKeeper } from './lease-keeper.js';
import type { Collection, DocumentStore, FoldedDocument, Lease } from './document-store.port.js';

const BATCH_EVENTS = 200;
const IDLE_MS = 1 * SECOND_MS;
const RETRY_MS = 1 * SECOND_MS;
/** Pause between reads: the command itself has usually done the reaction's work. */
const REST_MS = 50;
/** Delay of a checkpoint that only skips events of other types. */
const SKIPPED_COMMIT_MS = 10 * SECOND_MS;
/** Maximum delay of a checkpoint. After a kill the events since then are repeated, which changes nothing. */
const COMMIT_MS = 1 * SECOND_MS;
const POSTPONED_RETRY_MS = 1 * MINUTE_MS;
const POSTPONED_PER_BATCH = 100;
const FAILURES_REPORTED = 3;

/**
 * A command caused by an event. Runs at least once per event, in order. The request key is derived from the event's id
 * and the name of its decision, so a repetition changes nothing. Throws to be retried; unreadable events are postponed.
 */
export interface Reaction {
  readonly name: string;
  readonly types: readonly string[];
  react(event: Event): Promise<void>;
}

export const createCheckpointProjection = ({ name }: Pick<Reaction, 'name'>): Projection => ({
  name: `reaction_${name}`,
  version: 1,
  types: [],
  indexes: {},
  keys: () => [],
  evolve: () => null,
});

export class ReactionRunner {
  private readonly leases: LeaseKeeper;
  private readonly projection: Projection;
  private opened: Collection | undefined;
  private position!: Position;
  private committed!: Position;
  private isStale = true;
  private committedAt = -Infinity;
  private hasUncommitted = false;
  private postponedTriedAt = -Infinity;
  private postponedAfter: string | undefined;
  private hasLoggedPostponed = false;
  private failure = { id: '', times: 0, isReported: false };
  private running: Promise<void> = Promise.resolve();
  private stopping = false;
  private readonly wakes: WakeSignal;
  private readonly failures: RetryFailureLog;

  constructor(
    private readonly reaction: Reaction,
    private readonly parts: {
      readonly journal: Journal;
      readonly store: DocumentStore;
      readonly clock: Clock;
      readonly log: { error(details: object, message: string): void };
      /** See `ProjectorParts.holder`. */
      readonly holder?: string;
    },
  ) {
    this.projection = createCheckpointProjection(reaction);
    this.leases = new LeaseKeeper(parts.store, parts.clock, [this.projection.name], parts.holder);
    this.wakes = new WakeSignal(parts.journal.log);
    this.failures = new RetryFailureLog(parts.log);
  }

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.wakes.end();
    await this.running;
    const { lease } = this;
    if (this.hasUncommitted && lease) await this.commit(this.position, [], lease).catch(() => undefined);
    await this.leases.release();
  }

  private async open(): Promise<Collection> {
    return (this.opened ??= await this.parts.store.open(this.projection));
  }

  private get lease(): Lease | undefined {
    return this.leases.of(this.projection.name);
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.wakes.arm();
      try {
        if (await this.mayRun()) {
          await this.retryPostponed();
          if (await this.step()) {
            this.failures.recordSuccess();
            continue;
          }
        }
        this.failures.recordSuccess();
        await this.wakes.sleep(this.hasUncommitted ? COMMIT_MS : IDLE_MS);
        await pause(REST_MS);
      } catch (error) {
        if (this.failure.times <= FAILURES_REPORTED)
          this.failures.recordFailure(error, 'a reaction failed; retrying', { reaction: this.reaction.name });
        this.isStale = true;
        this.hasUncommitted = false;
        this.wakes.arm();
        await this.wakes.sleep(RETRY_MS);
      }
    }
  }

  private async step(): Promise<boolean> {
    const from = this.position;
    const page = await this.parts.journal.readNewsLazily(from, BATCH_EVENTS, this.reaction.types);
    const postponed: FoldedDocument[] = [];
    for (const event of page.events) {
      const error = await this.reactTo(event);
      if (error) postponed.push(this.postpone(event, error, from));
      // A reaction may take as long as a slow download, so the lease is renewed after each event.
      await this.mayRun();
    }
    const { lease } = this;
    if (!lease) return true;
    this.hasUncommitted ||= page.events.length > 0;
    if (postponed.length > 0 || this.isDue(page.next)) await this.commit(page.next, postponed, lease);
    const isNew = page.next !== this.position;
    this.position = page.next;
    return isNew;
  }

  private isDue(position: Position): boolean {
    const sinceMs = performance.now() - this.committedAt;
    return position !== this.committed && sinceMs >= (this.hasUncommitted ? COMMIT_MS : SKIPPED_COMMIT_MS);
  }

  private async commit(to: Position, documents: readonly FoldedDocument[], lease: Lease): Promise<void> {
    const batch = { projection: this.projection, documents, from: this.committed, to };
    await this.parts.store.commit([batch], lease);
    this.committed = to;
    this.committedAt = performance.now();
    this.hasUncommitted = false;
    this.failure = { id: '', times: 0, isReported: false };
  }

  /** Returns the error if the event, or one it depends on, is unreadable. */
  private async reactTo(event: Event): Promise<Error | null> {
    try {
      await this.reaction.react(event);
      return null;
    } catch (error) {
      if (isUnreadable(error)) return error;
      await this.reportFailure(event, error);
      throw error;
    }
  }

  private async reportFailure({ id, type, position }: Event, error: unknown): Promise<void> {
    const { times, isReported } = this.failure.id === id ? this.failure : { times: 0, isReported: false };
    this.failure = { id, times: times + 1, isReported };
    const { lease } = this;
    if (isReported || times + 1 < FAILURES_REPORTED || !lease) return;
    const message = error instanceof Error ? error.message : String(error);
    const reason = `${type} ${id} at position ${position}: ${message}`;
    await this.parts.store.stop(this.projection, reason, lease).then(
      () => (this.failure = { ...this.failure, isReported: true }),
      () => undefined,
    );
  }

  /** The document has the event's position as id, and a position from which a read finds the event again. */
  private postpone({ id, position }: Event, error: Error, from: Position): FoldedDocument {
    const details = { err: error, reaction: this.reaction.name, event: id, position };
    if (!this.hasLoggedPostponed)
      this.parts.log.error(details, 'a reaction postpones unreadable events; retrying them every minute');
    this.hasLoggedPostponed = true;
    return { id: position, position: from, body: {} };
  }

  private async retryPostponed(): Promise<void> {
    const now = performance.now();
    const { lease } = this;
    if (!lease || now - this.postponedTriedAt < POSTPONED_RETRY_MS) return;
    this.postponedTriedAt = now;
    const batch = await (await this.open()).scan(POSTPONED_PER_BATCH, this.postponedAfter);
    this.postponedAfter = batch.length < POSTPONED_PER_BATCH ? undefined : batch.at(-1)!.id;
    for (const { id, position } of batch) {
      const { events } = await this.parts.journal.readAll(position, BATCH_EVENTS, this.reaction.types);
      const event = events.find(each => each.position === id);
      if (event && (await this.reactTo(event))) continue;
      await this.commit(this.committed, [{ id, position: id, body: null }], lease);
    }
  }

  /** The log may have lost the reaction's results. Repeating all events changes nothing twice. */
  private async startOver(): Promise<void> {
    const message = 'a reaction is ahead of the event log, as after a restore of an older backup; repeating all events';
    this.parts.log.error({ reaction: this.reaction.name, position: this.committed }, message);
    await this.commit(LOG_START, [], this.lease!);
  }

  private async mayRun(): Promise<boolean> {
    const isTakenOver = await this.leases.renew(this.isStale);
    const isHeld = this.lease !== undefined;
    if (isHeld && (this.isStale || isTakenOver)) {
      this.committed = await (await this.open()).checkpoint();
      if (!(await this.parts.journal.log.holds(this.committed))) await this.startOver();
      this.position = this.committed;
      this.isStale = false;
    }
    return isHeld;
  }
}
