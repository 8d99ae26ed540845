import { setTimeout as pause } from 'node:timers/promises';
import { LeaseKeeper } from '#libs/documents/lease-keeper.js';
import type { DocumentStore, Lease } from '#libs/documents/document-store.port.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { WakeSignal } from '#libs/event-log/wake-signal.js';
import { type Clock, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { RetryFailureLog } from '#libs/platform/outages/retry-failure-log.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { INBOX_PROJECTIONS } from '#libs/features/inbox/views/inbox-items.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { WebhooksView } from '#libs/features/webhooks/views/webhooks.js';
import type { WebhookMatcher } from './webhook-matcher.js';
import type { AttemptOutcome } from './delivery.js';
import { deliveryKey, WEBHOOK_QUEUE, type PendingDelivery, WebhookQueue } from './webhook-queue.js';
import { DeliverySlots } from './delivery-slots.js';
import type { DeliveryBatch } from './delivery-batch.js';

/** How long a stop waits for receivers. */
const STOP_MS = 1 * SECOND_MS;
const IDLE_MS = 1 * SECOND_MS;
const RETRY_MS = 1 * SECOND_MS;
/** How long it rests after a look, so that what happens at one moment is looked at together. */
const PAUSE_MS = 50;
/** When a hook is tried again at which this service itself has failed. */
const OWN_FAILURE_MS = 1 * MINUTE_MS;

/** What messages are made of, in whatever form: nothing is told before all of it has come so far. */
const SOURCES = [...INBOX_PROJECTIONS, Hires, Roles, WebhooksView];

export interface DelivererDependencies {
  readonly store: DocumentStore;
  readonly eventLog: EventLog;
  readonly models: ReadModels;
  readonly clock: Clock;
  readonly matcher: WebhookMatcher;
  readonly batch: DeliveryBatch;
  readonly log: { error(details: object, message: string): void };
  /** As the projector's. */
  readonly holder?: string;
  /** Counts attempts. */
  readonly onOutcome?: (kind: AttemptOutcome['kind']) => void;
}

/**
 * Tells webhooks what is behind their places in the log: one process at a time, under a lease, in order for each of them.
 * Nothing of it stands in the way of a write: it follows the documents.
 */
export class WebhookDeliverer {
  private readonly queue: WebhookQueue;
  private readonly slots = new DeliverySlots();
  private readonly leases: LeaseKeeper;
  private readonly wakes: WakeSignal;
  private readonly failures: RetryFailureLog;
  private readonly batches = new Set<Promise<void>>();
  private isStale = true;
  private isStopping = false;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly parts: DelivererDependencies) {
    const { store, clock, holder, eventLog } = parts;
    this.queue = new WebhookQueue(store);
    this.leases = new LeaseKeeper(store, clock, [WEBHOOK_QUEUE.name], holder);
    this.wakes = new WakeSignal(eventLog);
    this.failures = new RetryFailureLog(parts.log);
  }

  start(): void {
    this.running = this.run();
  }

  /** What is being sent has a moment to be answered; what was not is sent once more. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.wakes.end();
    await this.running;
    await Promise.race([Promise.allSettled(this.batches), pause(STOP_MS, undefined, { ref: false })]);
    await this.write().catch(() => undefined);
    await this.leases.release();
  }

  private get lease(): Lease | undefined {
    return this.leases.of(WEBHOOK_QUEUE.name);
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      this.wakes.arm();
      try {
        const isBehind = (await this.ensureLeased()) && (await this.matchNewEvents());
        this.failures.recordSuccess();
        await this.wakes.sleep(isBehind ? PAUSE_MS : this.restMs());
        await pause(PAUSE_MS);
      } catch (error) {
        this.failures.recordFailure(error, 'webhooks could not be looked at; they are looked at again');
        this.isStale = true;
        await pause(RETRY_MS);
      }
    }
  }

  private async ensureLeased(): Promise<boolean> {
    const isOther = await this.leases.renew(this.isStale);
    if (!this.lease) return false;
    if (this.isStale || isOther) {
      this.isStale = true;
      await this.queue.load();
      this.parts.matcher.reset();
      if (!(await this.parts.eventLog.holds(this.queue.matchedPosition))) await this.queue.reset(this.lease);
      this.isStale = false;
    }
    return true;
  }

  /** Answers whether the documents have not reached the log's end, so that there will soon be more. */
  private async matchNewEvents(): Promise<boolean> {
    const { models, matcher: concerned, clock, eventLog } = this.parts;
    const from = this.queue.matchedPosition;
    const to = await models.position(...SOURCES);
    const now = clock.now();
    if (to > from)
      await concerned.match(from, to, {
        onReplay: (muse, hook) => this.queue.restart(muse, hook, to, now),
        onMatch: (muse, hook) => this.queue.schedule(muse, hook, { from, upto: to, now }),
        // What lies far behind is looked at for longer than a lease lasts.
        onPage: async () => void (await this.leases.requireLease(WEBHOOK_QUEUE.name)),
      });
    await this.write(to > from ? to : from);
    this.startDue();
    return to < (await eventLog.readNews(to, 1)).next;
  }

  private async write(to = this.queue.matchedPosition): Promise<void> {
    if (this.lease) await this.queue.write(to, this.lease);
  }

  private startDue(): void {
    const now = this.parts.clock.now();
    const due = [...this.queue.all()].filter(entry => entry.due <= now && !this.slots.has(deliveryKey(entry)));
    this.slots.resetDemand();
    for (const entry of due.sort((a, b) => a.due - b.due)) {
      if (this.isStopping || (!this.startBatch(entry) && this.slots.isFull)) return;
    }
  }

  /** Answers whether there is a slot for it now. */
  private startBatch(entry: PendingDelivery): boolean {
    const release = this.slots.acquire(deliveryKey(entry), entry.muse);
    if (!release) return false;
    const turn = this.deliver(entry).then(isLeft => {
      release();
      this.batches.delete(turn);
      this.wakes.hurry();
      if (isLeft) this.continueBatch(entry);
    });
    this.batches.add(turn);
    return true;
  }

  /** What still waits for a hook goes on at once, unless somebody waits for its slot: then it is behind that one. */
  private continueBatch(entry: PendingDelivery): void {
    const left = this.queue.update(entry, { due: this.parts.clock.now() });
    if (!left || this.isStale || this.isStopping || !this.lease) return;
    if (!this.slots.isDemanded(deliveryKey(left), left.muse)) this.startBatch(left);
  }

  /** Answers whether more may wait for it now. */
  private async deliver(entry: PendingDelivery): Promise<boolean> {
    const { batch: turn, onOutcome, clock } = this.parts;
    try {
      return await turn.run(entry, {
        queue: this.queue,
        canSendTo: (of, host) => this.slots.canSendTo(deliveryKey(of), host),
        isActive: () => !this.isStopping && this.lease !== undefined,
        onOutcome: (of, kind, tookMs) => {
          this.slots.recordResponse(deliveryKey(of), kind === 'delivered' ? tookMs : null);
          onOutcome?.(kind);
        },
      });
    } catch (error) {
      this.failures.recordFailure(error, 'a webhook could not be sent to; it is tried again', {
        webhook: entry.webhook,
      });
      this.queue.update(entry, { due: clock.now() + OWN_FAILURE_MS });
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
