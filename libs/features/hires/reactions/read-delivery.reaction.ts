import { Injectable } from '@nestjs/common';
import type { Reaction } from '#libs/documents/reactions.js';
import { Delivered } from '#libs/events/hire.js';
import type { Event } from '#libs/kernel/event.js';
import { type DeliveredEvent, DeliveryReader } from '../delivery-reader.js';

/** Reads deliveries whose process ended before it had read them. */
@Injectable()
export class ReadDeliveryReaction implements Reaction {
  readonly name = 'read_delivery';
  readonly types = [Delivered.type];

  constructor(private readonly reader: DeliveryReader) {}

  async react(event: Event): Promise<void> {
    await this.reader.read(event as DeliveredEvent);
  }
}
