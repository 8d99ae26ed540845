import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { Delivered } from '#libs/features/hires/domain/hire.js';
import { Clock, SECOND_MS } from '#libs/kernel/clock.js';
import type { Event } from '#libs/kernel/event.js';
import { type DeliveredEvent, DeliveryReader } from './delivery-reader.js';

/** How long the process that took a delivery has for reading it: a download takes 10 s at most. */
const OTHER_PROCESS_MS = 12 * SECOND_MS;
const LOOK_EVERY_MS = 250;
const LOOKS_MAX = 48;

/** Reads deliveries whose process ended before it had read them. */
@Injectable()
export class ReadDeliveryReaction implements Reaction {
  readonly name = 'read_delivery';
  readonly types = [Delivered.type];

  constructor(
    private readonly reader: DeliveryReader,
    private readonly clock: Clock,
  ) {}

  async react(event: Event): Promise<void> {
    const delivered = event as DeliveredEvent;
    for (let looks = 0; looks < LOOKS_MAX && this.mayBeUnderWay(delivered); looks += 1) {
      if (await this.reader.isRead(delivered)) return;
      await pause(LOOK_EVERY_MS);
    }
    await this.reader.read(delivered);
  }

  /** Another process may be reading it; this one’s own reading is joined. */
  private mayBeUnderWay({ id, at }: DeliveredEvent): boolean {
    return !this.reader.isReading(id) && this.clock.now() - at < OTHER_PROCESS_MS;
  }
}
