import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '#libs/event-log/journal.js';
import { WakeSignal } from '#libs/event-log/wake-signal.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { type Event, type Position, START } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import { HeldLeases } from './held-leases.js';
import type { Collection, DocumentStore } from './port.js';

const BATCH_EVENTS = 200;
const IDLE_MS = 1 * SECOND_MS;
const RETRY_MS = 1 * SECOND_MS;
/** How long it rests after a look: what a reaction finishes has most often been finished by the command itself. */
const REST_MS = 50;
/** How often the checkpoint says that events of other types were passed. */
const PASSED_MS = 10 * SECOND_MS;

/**
 * An event that causes a command. Called at least once for each event, in order; the command's request key is the
 * event's id with the reaction's name, so that a second call changes nothing. What throws is called again.
 */
export interface Reaction {
  readonly name: string;
  readonly types: readonly string[];
  react(event: Event): Promise<void>;
}

/** Runs one reaction from its own checkpoint, in one process at a time. */
export class ReactionRunner {
  private readonly leases: HeldLeases;
  private readonly checkpointOf: Projection;
  private collection!: Collection;
  /** Up to where it has looked, and up to where its checkpoint says so. */
  private position!: Position;
  private committed!: Position;
  /** A failure may have left the checkpoint elsewhere than memory says. */
  private stale = true;
  private committedAt = 0;
  private running: Promise<void> = Promise.resolve();
  private stopping = false;
  private readonly wakes: WakeSignal;

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
    const name = `reaction_${reaction.name}`;
    this.leases = new HeldLeases(parts.store, parts.clock, [name], parts.holder);
    this.checkpointOf = { name, version: 1, types: [], indexes: {}, keys: () => [], evolve: () => null };
    this.wakes = new WakeSignal(parts.journal.log);
  }

  async start(): Promise<void> {
    this.collection = await this.parts.store.open(this.checkpointOf);
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.wakes.end();
    await this.running;
    await this.leases.release();
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.wakes.arm();
      try {
        if ((await this.mayRun()) && (await this.step())) continue;
        await this.wakes.sleep(IDLE_MS);
        await pause(REST_MS);
      } catch (error) {
        this.parts.log.error({ err: error, reaction: this.reaction.name }, 'a reaction failed; it is tried again');
        this.stale = true;
        this.wakes.arm();
        await this.wakes.sleep(RETRY_MS);
      }
    }
  }

  private async step(): Promise<boolean> {
    const page = await this.parts.journal.readAll(this.position, BATCH_EVENTS, this.reaction.types);
    if (page.next === this.position) return false;
    for (const event of page.events) {
      await this.reaction.react(event);
      // One event may take as long as a slow download: the lease is kept from one to the next.
      await this.mayRun();
    }
    const lease = this.leases.of(this.checkpointOf.name);
    if (!lease) return true;
    const now = this.parts.clock.now();
    if (page.events.length > 0 || Math.abs(now - this.committedAt) >= PASSED_MS) {
      const batch = { projection: this.checkpointOf, documents: [], from: this.committed, to: page.next };
      await this.parts.store.commit([batch], lease);
      this.committed = page.next;
      this.committedAt = now;
    }
    this.position = page.next;
    return true;
  }

  /** What it had caused may be gone with the end of the log: it is told of everything once more, which changes nothing twice. */
  private async startOver(): Promise<void> {
    const message = 'the event log ends before what a reaction had seen of it; it is told of everything again';
    this.parts.log.error({ reaction: this.reaction.name, position: this.committed }, message);
    const batch = { projection: this.checkpointOf, documents: [], from: this.committed, to: START };
    await this.parts.store.commit([batch], this.leases.of(this.checkpointOf.name)!);
    this.committed = START;
  }

  private async mayRun(): Promise<boolean> {
    const isOther = await this.leases.keep(this.stale);
    const isHeld = this.leases.of(this.checkpointOf.name) !== undefined;
    if (isHeld && (this.stale || isOther)) {
      this.committed = await this.collection.checkpoint();
      if (this.committed > (await this.parts.journal.log.head())) await this.startOver();
      this.position = this.committed;
      this.stale = false;
    }
    return isHeld;
  }
}
