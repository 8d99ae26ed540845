import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { Delivered } from '#libs/features/hires/domain/hire.js';
import { Clock, SECOND_MS } from '#libs/kernel/clock.js';
import type { Event } from '#libs/kernel/event.js';
import { type DeliveredEvent, DeliveryReader } from './delivery-reader.js';

/** Time left to the process that took the delivery: a download takes at most 10 s. */
const OTHER_PROCESS_MS = 12 * SECOND_MS;
const LOOK_EVERY_MS = 250;
const LOOKS_MAX = 48;

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

  /** A read in this process is joined at once; only another process is waited for. */
  private mayBeUnderWay({ id, at }: DeliveredEvent): boolean {
    return !this.reader.isReading(id) && this.clock.now() - at < OTHER_PROCESS_MS;
  }
}
