import { Injectable } from '@nestjs/common';
import { type Collection, DocumentStore } from '#libs/documents/port.js';
import type { Position } from '#libs/kernel/event.js';
import type { Webhooks } from '#libs/streams/webhook.js';
import { keyOf, QUEUE, type Waiting } from './queue.js';

/** How many waiting hooks are counted. */
const COUNTED_MAX = 1_000;

/** What health says of webhooks. */
export type WebhooksHealth = {
  /** Up to where in the log it is known which of them something waits for. */
  readonly position: Position;
  /** How many something waits for, and to how many of them a message could not be delivered; 1,000 at most. */
  readonly waiting: number;
  readonly failing: number;
};

/** How it goes with webhooks, whichever process tells them. */
@Injectable()
export class WebhookStates {
  private opened: Promise<Collection<Waiting>> | null = null;

  constructor(private readonly store: DocumentStore) {}

  /** Those of a muse that are being tried again, by their ids. */
  async failing(muse: string, hooks: Webhooks): Promise<ReadonlyMap<number, Waiting>> {
    const keys = hooks.map(({ webhook }) => keyOf({ muse, webhook }));
    const waiting = keys.length > 0 ? await (await this.collection()).getMany(keys) : [];
    return new Map(waiting.filter(({ body }) => body.failures > 0).map(({ body }) => [body.webhook, body]));
  }

  async health(): Promise<WebhooksHealth> {
    const collection = await this.collection();
    const waiting = await collection.scan(COUNTED_MAX);
    const failing = waiting.filter(({ body }) => body.failures > 0);
    return { position: await collection.checkpoint(), waiting: waiting.length, failing: failing.length };
  }

  private async collection(): Promise<Collection<Waiting>> {
    this.opened ??= this.store.open(QUEUE);
    try {
      return await this.opened;
    } catch (error) {
      this.opened = null;
      throw error;
    }
  }
}
