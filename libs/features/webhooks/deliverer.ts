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
import { WebhooksView } from './views/webhooks.js';
import type { WebhookMatcher } from './webhook-matcher.js';
import type { AttemptOutcome } from './delivery.js';
import { deliveryKey, WEBHOOK_QUEUE, type PendingDelivery, WebhookQueue } from './webhook-queue.js';
import { DeliverySlots } from './delivery-slots.js';
import type { DeliveryBatch } from './delivery-batch.js';

const STOP_MS = 1 * SECOND_MS;
const IDLE_MS = 1 * SECOND_MS;
const RETRY_MS = 1 * SECOND_MS;
const PAUSE_MS = 50;
const OWN_FAILURE_MS = 1 * MINUTE_MS;

/** Messages are built from these projections, so deliver only up to the slowest one. */
const SOURCES = [...INBOX_PROJECTIONS, Hires, Roles, WebhooksView];

export interface DelivererDependencies {
  readonly store: DocumentStore;
  readonly eventLog: EventLog;
  readonly models: ReadModels;
  readonly clock: Clock;
  readonly matcher: WebhookMatcher;
  readonly batch: DeliveryBatch;
  readonly log: { error(details: object, message: string): void };
  readonly holder?: string;
  readonly onOutcome?: (kind: AttemptOutcome['kind']) => void;
}

/**
 * Matches new events to webhooks and sends the messages, in order for each webhook. A lease limits this to one process.
 * It reads the documents, so it delays no write.
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

  /** Waits briefly for running deliveries. Unconfirmed messages are sent again after a restart. */
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
        this.failures.recordFailure(error, 'Events could not be matched with webhooks; retrying.');
        this.isStale = true;
        await pause(RETRY_MS);
      }
    }
  }

  private async ensureLeased(): Promise<boolean> {
    const isNewLease = await this.leases.renew(this.isStale);
    if (!this.lease) return false;
    if (this.isStale || isNewLease) {
      this.isStale = true;
      await this.queue.load();
      this.parts.matcher.reset();
      if (!(await this.parts.eventLog.holds(this.queue.matchedPosition))) await this.queue.reset(this.lease);
      this.isStale = false;
    }
    return true;
  }

  /** Returns true if the documents have not reached the end of the log. */
  private async matchNewEvents(): Promise<boolean> {
    const { models, matcher, clock, eventLog } = this.parts;
    const from = this.queue.matchedPosition;
    const to = await models.position(...SOURCES);
    const now = clock.now();
    if (to > from)
      await matcher.match(from, to, {
        onReplay: (muse, hook) => this.queue.restart(muse, hook, to, now),
        onMatch: (muse, hook) => this.queue.schedule(muse, hook, { from, upto: to, now }),
        // A long backlog takes longer than a lease lasts.
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

  private startBatch(entry: PendingDelivery): boolean {
    const release = this.slots.acquire(deliveryKey(entry), entry.muse);
    if (!release) return false;
    const delivery = this.deliver(entry).then(mayHaveMore => {
      release();
      this.batches.delete(delivery);
      this.wakes.hurry();
      if (mayHaveMore) this.continueBatch(entry);
    });
    this.batches.add(delivery);
    return true;
  }

  /** Continues at once, unless another webhook waits for the slot. */
  private continueBatch(entry: PendingDelivery): void {
    const next = this.queue.update(entry, { due: this.parts.clock.now() });
    if (!next || this.isStale || this.isStopping || !this.lease) return;
    if (!this.slots.isDemanded(deliveryKey(next), next.muse)) this.startBatch(next);
  }

  private async deliver(entry: PendingDelivery): Promise<boolean> {
    const { batch, onOutcome, clock } = this.parts;
    try {
      return await batch.run(entry, {
        queue: this.queue,
        canSendTo: (pending, host) => this.slots.canSendTo(deliveryKey(pending), host),
        isActive: () => !this.isStopping && this.lease !== undefined,
        onOutcome: (pending, kind, tookMs) => {
          this.slots.recordResponse(deliveryKey(pending), kind === 'delivered' ? tookMs : null);
          onOutcome?.(kind);
        },
      });
    } catch (error) {
      this.failures.recordFailure(error, 'A webhook message could not be sent; retrying.', {
        webhook: entry.webhook,
      });
      this.queue.update(entry, { due: clock.now() + OWN_FAILURE_MS });
      return false;
    }
  }

  /** A released slot wakes the deliverer, so entries that are already due need no timer. */
  private restMs(): number {
    const now = this.parts.clock.now();
    const waits = [...this.queue.all()].filter(entry => entry.due > now).map(({ due }) => due - now);
    return waits.reduce((least, wait) => Math.min(least, wait), IDLE_MS);
  }
}
