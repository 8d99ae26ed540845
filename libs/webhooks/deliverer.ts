import { setTimeout as pause } from 'node:timers/promises';
import { HeldLeases } from '#libs/documents/held-leases.js';
import type { DocumentStore, Lease } from '#libs/documents/port.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { EventLog } from '#libs/event-log/port.js';
import { WakeSignal } from '#libs/event-log/wake-signal.js';
import { type Clock, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { Failures } from '#libs/platform/outages/failures.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { INBOX_PROJECTIONS } from '#libs/features/inbox/views/inbox-items.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { WebhooksView } from '#libs/features/webhooks/views/webhooks.js';
import type { ConcernedHooks } from './concerned.js';
import type { Outcome } from './delivery.js';
import { keyOf, QUEUE, type Waiting, WebhookQueue } from './queue.js';
import { Slots } from './slots.js';
import type { WebhookTurn } from './turn.js';

/** How long a stop waits for receivers. */
const STOP_MS = 1 * SECOND_MS;
const IDLE_MS = 1 * SECOND_MS;
const RETRY_MS = 1 * SECOND_MS;
/** How long it rests after a look, so that what happens at one moment is looked at together. */
const REST_MS = 50;
/** When a hook is tried again at which this service itself has failed. */
const OWN_FAILURE_MS = 1 * MINUTE_MS;

/** What messages are made of, in whatever form: nothing is told before all of it has come so far. */
const SOURCES = [...INBOX_PROJECTIONS, Hires, Roles, WebhooksView];

export interface DelivererParts {
  readonly store: DocumentStore;
  readonly eventLog: EventLog;
  readonly models: ReadModels;
  readonly clock: Clock;
  readonly concerned: ConcernedHooks;
  readonly turn: WebhookTurn;
  readonly log: { error(details: object, message: string): void };
  /** As the projector's. */
  readonly holder?: string;
  /** Counts attempts. */
  readonly onOutcome?: (kind: Outcome['kind']) => void;
}

/**
 * Tells webhooks what is behind their places in the log: one process at a time, under a lease, in order for each of them.
 * Nothing of it stands in the way of a write: it follows the documents.
 */
export class WebhookDeliverer {
  private readonly queue: WebhookQueue;
  private readonly slots = new Slots();
  private readonly leases: HeldLeases;
  private readonly wakes: WakeSignal;
  private readonly failures: Failures;
  private readonly turns = new Set<Promise<void>>();
  private stale = true;
  private stopping = false;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly parts: DelivererParts) {
    const { store, clock, holder, eventLog } = parts;
    this.queue = new WebhookQueue(store);
    this.leases = new HeldLeases(store, clock, [QUEUE.name], holder);
    this.wakes = new WakeSignal(eventLog);
    this.failures = new Failures(parts.log);
  }

  start(): void {
    this.running = this.run();
  }

  /** What is being sent has a moment to be answered; what was not is sent once more. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wakes.end();
    await this.running;
    await Promise.race([Promise.allSettled(this.turns), pause(STOP_MS, undefined, { ref: false })]);
    await this.write().catch(() => undefined);
    await this.leases.release();
  }

  private get lease(): Lease | undefined {
    return this.leases.of(QUEUE.name);
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.wakes.arm();
      try {
        const isBehind = (await this.mayRun()) && (await this.look());
        this.failures.end();
        await this.wakes.sleep(isBehind ? REST_MS : this.restMs());
        await pause(REST_MS);
      } catch (error) {
        this.failures.add(error, 'webhooks could not be looked at; they are looked at again');
        this.stale = true;
        await pause(RETRY_MS);
      }
    }
  }

  private async mayRun(): Promise<boolean> {
    const isOther = await this.leases.keep(this.stale);
    if (!this.lease) return false;
    if (this.stale || isOther) {
      this.stale = true;
      await this.queue.load();
      this.parts.concerned.forget();
      if (!(await this.parts.eventLog.holds(this.queue.reached))) await this.queue.startOver(this.lease);
      this.stale = false;
    }
    return true;
  }

  /** Answers whether the documents have not reached the log's end, so that there will soon be more. */
  private async look(): Promise<boolean> {
    const { models, concerned, clock, eventLog } = this.parts;
    const from = this.queue.reached;
    const to = await models.position(...SOURCES);
    const now = clock.now();
    if (to > from)
      await concerned.between(from, to, {
        replay: (muse, hook) => this.queue.restart(muse, hook, to, now),
        tell: (muse, hook) => this.queue.mark(muse, hook, { from, upto: to, now }),
        // What lies far behind is looked at for longer than a lease lasts.
        goOn: async () => void (await this.leases.sure(QUEUE.name)),
      });
    await this.write(to > from ? to : from);
    this.begin();
    return to < (await eventLog.readNews(to, 1)).next;
  }

  private async write(to = this.queue.reached): Promise<void> {
    if (this.lease) await this.queue.write(to, this.lease);
  }

  private begin(): void {
    const now = this.parts.clock.now();
    const due = [...this.queue.all()].filter(entry => entry.due <= now && !this.slots.has(keyOf(entry)));
    this.slots.beginLook();
    for (const entry of due.sort((a, b) => a.due - b.due)) {
      if (this.stopping || (!this.take(entry) && this.slots.isFull)) return;
    }
  }

  /** Answers whether there is a slot for it now. */
  private take(entry: Waiting): boolean {
    const release = this.slots.take(keyOf(entry), entry.muse);
    if (!release) return false;
    const turn = this.deliver(entry).then(isLeft => {
      release();
      this.turns.delete(turn);
      this.wakes.hurry();
      if (isLeft) this.goOn(entry);
    });
    this.turns.add(turn);
    return true;
  }

  /** What still waits for a hook goes on at once, unless somebody waits for its slot: then it is behind that one. */
  private goOn(entry: Waiting): void {
    const left = this.queue.change(entry, { due: this.parts.clock.now() });
    if (!left || this.stale || this.stopping || !this.lease) return;
    if (!this.slots.isAwaited(keyOf(left), left.muse)) this.take(left);
  }

  /** Answers whether more may wait for it now. */
  private async deliver(entry: Waiting): Promise<boolean> {
    const { turn, onOutcome, clock } = this.parts;
    try {
      return await turn.run(entry, {
        queue: this.queue,
        mayAsk: (of, host) => this.slots.mayAsk(keyOf(of), host),
        goesOn: () => !this.stopping && this.lease !== undefined,
        onOutcome: (of, kind, tookMs) => {
          this.slots.answered(keyOf(of), kind === 'delivered' ? tookMs : null);
          onOutcome?.(kind);
        },
      });
    } catch (error) {
      this.failures.add(error, 'a webhook could not be sent to; it is tried again', { webhook: entry.webhook });
      this.queue.change(entry, { due: clock.now() + OWN_FAILURE_MS });
      return false;
    }
  }

  /** Until something is due, at most. What waits for a slot is looked at once one is free. */
  private restMs(): number {
    const now = this.parts.clock.now();
    const waits = [...this.queue.all()].filter(entry => entry.due > now).map(({ due }) => due - now);
    return waits.reduce((least, each) => Math.min(least, each), IDLE_MS);
  }
}
