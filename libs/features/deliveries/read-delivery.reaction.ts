import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { Delivered } from '#libs/features/hires/domain/hire.js';
import { Clock, SECOND_MS } from '#libs/kernel/clock.js';
import type { Event } from '#libs/kernel/event.js';
import { type DeliveredEvent, DeliveryReader } from './delivery-reader.js';

/** Time for the process that took the delivery to read it: a download takes at most 10 s. */
const OTHER_PROCESS_MS = 12 * SECOND_MS;
const CHECK_INTERVAL_MS = 250;
const CHECKS_MAX = 48;

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
    for (let checks = 0; checks < CHECKS_MAX && this.mayBeReadElsewhere(delivered); checks += 1) {
      if (await this.reader.isRead(delivered)) return;
      await pause(CHECK_INTERVAL_MS);
    }
    await this.reader.read(delivered);
  }

  /** Only waits for another process: `DeliveryReader.read` joins a running read of this one. */
  private mayBeReadElsewhere({ id, at }: DeliveredEvent): boolean {
    return !this.reader.isReading(id) && this.clock.now() - at < OTHER_PROCESS_MS;
  }
}
