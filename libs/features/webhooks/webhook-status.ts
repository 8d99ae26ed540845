import { Injectable } from '@nestjs/common';
import { type Collection, DocumentStore } from '#libs/documents/document-store.port.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { Position } from '#libs/kernel/event.js';
import type { Webhooks } from './domain/webhook.js';
import { deliveryKey, WEBHOOK_QUEUE, type PendingDelivery } from './webhook-queue.js';

const COUNTED_MAX = 1_000;
const COUNT_TTL_MS = 1 * SECOND_MS;

export type WebhooksHealth = {
  readonly position: Position;
  /** Webhooks with pending messages, and those with failures; 1,000 at most. */
  readonly waiting: number;
  readonly failing: number;
};

@Injectable()
export class WebhookStatus {
  private opened: Promise<Collection<PendingDelivery>> | null = null;
  private counts = { waiting: 0, failing: 0 };
  private countedAt = -Infinity;

  constructor(private readonly store: DocumentStore) {}

  async findFailing(muse: string, hooks: Webhooks): Promise<ReadonlyMap<number, PendingDelivery>> {
    const keys = hooks.map(({ webhook }) => deliveryKey({ muse, webhook }));
    const waiting = keys.length > 0 ? await (await this.collection()).getMany(keys) : [];
    return new Map(waiting.filter(({ body }) => body.failures > 0).map(({ body }) => [body.webhook, body]));
  }

  async health(): Promise<WebhooksHealth> {
    const collection = await this.collection();
    if (performance.now() - this.countedAt >= COUNT_TTL_MS) this.counts = await this.count(collection);
    return { position: await collection.checkpoint(), ...this.counts };
  }

  private async count(collection: Collection<PendingDelivery>): Promise<Omit<WebhooksHealth, 'position'>> {
    const waiting = await collection.scan(COUNTED_MAX);
    this.countedAt = performance.now();
    return { waiting: waiting.length, failing: waiting.filter(({ body }) => body.failures > 0).length };
  }

  private async collection(): Promise<Collection<PendingDelivery>> {
    this.opened ??= this.store.open(WEBHOOK_QUEUE);
    try {
      return await this.opened;
    } catch (error) {
      this.opened = null;
      throw error;
    }
  }
}
