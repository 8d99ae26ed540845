import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '#libs/event-log/journal.js';
import { isUnreadable } from '#libs/event-log/unreadable-event.js';
import { WakeSignal } from '#libs/event-log/wake-signal.js';
import { type Clock, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { type Event, type Position, LOG_START } from '#libs/kernel/event.js';
import { RetryFailureLog } from '#libs/platform/outages/retry-failure-log.js';
import type { Projection } from '#libs/kernel/projection.js';
import { LeaseKeeper } from './lease-keeper.js';
import type { CommitBatch, Collection, DocumentStore, Lease } from './document-store.port.js';

const BATCH_EVENTS = 200;
const IDLE_MS = 1 * SECOND_MS;
const RETRY_MS = 1 * SECOND_MS;
/** How long it rests after a look: what a reaction finishes has most often been finished by the command itself. */
const REST_MS = 50;
/** How often the checkpoint says that events of other types were passed. */
const PASSED_MS = 10 * SECOND_MS;
/**
 * How long what it has done may stand unwritten while more comes: a process that dies meanwhile is told of it again,
 * which changes nothing.
 */
const COMMIT_MS = 1 * SECOND_MS;
/** How often a reaction is told again of events that it had to leave behind, and of how many at once. */
const LEFT_RETRY_MS = 1 * MINUTE_MS;
const LEFT_AT_ONCE = 100;
/** From so many failures in a row at one event on, health names the reaction. */
const FAILURES_REPORTED = 3;

/** Stands for an event that was left behind: named by its position, it is where to read on to find it. */
type PostponedEvent = CommitBatch['documents'][number];

/**
 * An event that causes a command. Called at least once for each event, in order; the command's request key is the
 * event's id with the reaction's name, so that a second call changes nothing. What throws is called again. An event with
 * something in its way that cannot be read is left behind, and comes again now and then.
 */
export interface Reaction {
  readonly name: string;
  readonly types: readonly string[];
  react(event: Event): Promise<void>;
}

/** Under which its checkpoint and its leases stand among the documents. */
export const createCheckpointProjection = ({ name }: Pick<Reaction, 'name'>): Projection => ({
  name: `reaction_${name}`,
  version: 1,
  types: [],
  indexes: {},
  keys: () => [],
  evolve: () => null,
});

/** Runs one reaction from its own checkpoint, in one process at a time. */
export class ReactionRunner {
  private readonly leases: LeaseKeeper;
  private readonly checkpointOf: Projection;
  private collection!: Collection;
  /** Up to where it has looked, and up to where its checkpoint says so. */
  private position!: Position;
  private committed!: Position;
  /** A failure may have left the checkpoint elsewhere than memory says. */
  private stale = true;
  private committedAt = -Infinity;
  /** Whether it was told of events that its checkpoint does not say yet. */
  private isBehind = false;
  private leftTriedAt = -Infinity;
  private leftAfter: string | undefined;
  /** Whether it was said that events were left behind. */
  private hasLeft = false;
  /** The event that it fails at, how often in a row, and whether the store says so. */
  private failing = { id: '', times: 0, isTold: false };
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
      /** As the projector's. */
      readonly holder?: string;
    },
  ) {
    this.checkpointOf = createCheckpointProjection(reaction);
    this.leases = new LeaseKeeper(parts.store, parts.clock, [this.checkpointOf.name], parts.holder);
    this.wakes = new WakeSignal(parts.journal.log);
    this.failures = new RetryFailureLog(parts.log);
  }

  async start(): Promise<void> {
    this.collection = await this.parts.store.open(this.checkpointOf);
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.wakes.end();
    await this.running;
    // Where this cannot be written, whoever goes on is told again.
    await this.settle().catch(() => undefined);
    await this.leases.release();
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
        await this.wakes.sleep(this.isBehind ? COMMIT_MS : IDLE_MS);
        await pause(REST_MS);
      } catch (error) {
        if (this.failing.times <= FAILURES_REPORTED)
          this.failures.recordFailure(error, 'a reaction failed; it is tried again', { reaction: this.reaction.name });
        this.stale = true;
        this.isBehind = false;
        this.wakes.arm();
        await this.wakes.sleep(RETRY_MS);
      }
    }
  }

  private async step(): Promise<boolean> {
    const from = this.position;
    const page = await this.parts.journal.readNewsLazily(from, BATCH_EVENTS, this.reaction.types);
    const left: PostponedEvent[] = [];
    for (const event of page.events) {
      const error = await this.reactTo(event);
      if (error) left.push(this.postpone(event, error, from));
      // One event may take as long as a slow download: the lease is kept from one to the next.
      await this.mayRun();
    }
    const lease = this.leases.of(this.checkpointOf.name);
    if (!lease) return true;
    this.isBehind ||= page.events.length > 0;
    if (left.length > 0 || this.isDue(page.next)) await this.commit(page.next, left, lease);
    const isNew = page.next !== this.position;
    this.position = page.next;
    return isNew;
  }

  private async settle(): Promise<void> {
    const lease = this.leases.of(this.checkpointOf.name);
    if (this.isBehind && lease) await this.commit(this.position, [], lease);
  }

  /** Whether its checkpoint is to say that it has looked so far. */
  private isDue(position: Position): boolean {
    const sinceMs = performance.now() - this.committedAt;
    return position !== this.committed && sinceMs >= (this.isBehind ? COMMIT_MS : PASSED_MS);
  }

  private async commit(to: Position, documents: CommitBatch['documents'], lease: Lease): Promise<void> {
    const batch = { projection: this.checkpointOf, documents, from: this.committed, to };
    await this.parts.store.commit([batch], lease);
    this.committed = to;
    this.committedAt = performance.now();
    this.isBehind = false;
    this.failing = { id: '', times: 0, isTold: false };
  }

  /** Tells it of an event; answers what is in the way where that cannot be read. */
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

  /** Until its next commit the store says why it does not go on, which any process can see. */
  private async reportFailure({ id, type, position }: Event, error: unknown): Promise<void> {
    const { times, isTold } = this.failing.id === id ? this.failing : { times: 0, isTold: false };
    this.failing = { id, times: times + 1, isTold };
    const lease = this.leases.of(this.checkpointOf.name);
    if (isTold || times + 1 < FAILURES_REPORTED || !lease) return;
    const message = error instanceof Error ? error.message : String(error);
    const reason = `${type} ${id} at position ${position}: ${message}`;
    // A store that is away cannot be told; the next failure tells it.
    await this.parts.store.stop(this.checkpointOf, reason, lease).then(
      () => (this.failing = { ...this.failing, isTold: true }),
      () => undefined,
    );
  }

  /** `from`: behind it the event is found again. */
  private postpone({ id, position }: Event, error: Error, from: Position): PostponedEvent {
    const details = { err: error, reaction: this.reaction.name, event: id, position };
    if (!this.hasLeft)
      this.parts.log.error(details, 'a reaction leaves events behind that cannot be read; they come again');
    this.hasLeft = true;
    return { id: position, position: from, body: {} };
  }

  private async retryPostponed(): Promise<void> {
    const now = performance.now();
    const lease = this.leases.of(this.checkpointOf.name);
    if (!lease || now - this.leftTriedAt < LEFT_RETRY_MS) return;
    this.leftTriedAt = now;
    const some = await this.collection.scan(LEFT_AT_ONCE, this.leftAfter);
    // The next ones the next time, and behind the last ones the first again.
    this.leftAfter = some.length < LEFT_AT_ONCE ? undefined : some.at(-1)!.id;
    for (const { id, position } of some) {
      const { events } = await this.parts.journal.readAll(position, BATCH_EVENTS, this.reaction.types);
      const event = events.find(each => each.position === id);
      if (event && (await this.reactTo(event))) continue;
      await this.commit(this.committed, [{ id, position: id, body: null }], lease);
    }
  }

  /** What it had caused may be gone with the end of the log: it is told of everything once more, which changes nothing twice. */
  private async startOver(): Promise<void> {
    const message = 'the event log ends before what a reaction had seen of it; it is told of everything again';
    this.parts.log.error({ reaction: this.reaction.name, position: this.committed }, message);
    await this.commit(LOG_START, [], this.leases.of(this.checkpointOf.name)!);
  }

  private async mayRun(): Promise<boolean> {
    const isOther = await this.leases.renew(this.stale);
    const isHeld = this.leases.of(this.checkpointOf.name) !== undefined;
    if (isHeld && (this.stale || isOther)) {
      this.committed = await this.collection.checkpoint();
      if (!(await this.parts.journal.log.holds(this.committed))) await this.startOver();
      this.position = this.committed;
      this.stale = false;
    }
    return isHeld;
  }
}
