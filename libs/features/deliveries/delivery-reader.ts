import { Injectable } from '@nestjs/common';
import { executeCommand } from '#libs/event-log/execute-command.js';
import type { Fact, Position, Event } from '#libs/kernel/event.js';
import { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { type EventOf, isEventOf } from '#libs/domain/define.js';
import { DeliveryRead, Hire, hasDelivery, Delivered } from '#libs/features/hires/domain/hire.js';
import { recordReading } from '#libs/features/hires/domain/reading.js';
import { defineDecision, assertAudit, formatDecidedBy, requireVisible } from '#libs/endpoints/decision.js';
import { followsFrom, followUp } from '#libs/endpoints/follow-ups.js';
import { formatDecisionKey } from '#libs/kernel/ids.js';
import { ServiceCommands } from '#libs/endpoints/service-commands.js';
import { ERASED_CONTENT, type DeliveryContent, readAddress, readInternalDelivery } from './delivery-content.js';
import { setTimeout as pause } from 'node:timers/promises';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { Clock, SECOND_MS } from '#libs/kernel/clock.js';

export type DeliveredEvent = EventOf<typeof Delivered>;
type DeliveryReadEvent = EventOf<typeof DeliveryRead>;

/** `digest` is null if the address could not be read. */
interface DeliveryReading {
  readonly digest: string | null;
  /** A code of `FAILURE_REASONS`; null if the delivery was read. */
  readonly reason: string | null;
  readonly position: Position;
}

const unread = (reason: string) => ({ digest: null, bytes: 0, media_type: null, reason });

/** The audit takes the content from the event, but checks that the delivery had not been read before. */
export const readDelivery = defineDecision('read-delivery', {
  by: 'service',
  writes: [DeliveryRead],
  follows: followsFrom(Delivered, ({ id, data: { hire, delivery } }: DeliveredEvent) =>
    followUp(Hire.source(hire), state => {
      const isUnread = hasDelivery(state) && state.delivery.event === id && state.delivery.digest === undefined;
      return isUnread ? recordReading(state, { delivery, ...unread('') }) : [];
    }),
  ),
  decide({ event, own }): Fact[] {
    const hire = own(Hire);
    const { delivery, digest, bytes, media_type, reason } = (event as DeliveryReadEvent).data;
    assertAudit(hire.status !== 'unknown', 'There is no such hire.');
    const latest = hasDelivery(hire) ? hire.delivery : null;
    assertAudit(latest !== null && delivery >= 1 && delivery <= latest.delivery, `There is no delivery ${delivery}.`);
    const isLatest = latest.delivery === delivery;
    assertAudit(!isLatest || latest.event === event.cause, `Delivery ${delivery} was made by another event.`);
    assertAudit(!isLatest || latest.digest === undefined, `Delivery ${delivery} had been read before.`);
    const content = digest === null ? unread(requireVisible(reason)) : { digest, bytes, media_type, reason: null };
    return recordReading(hire, { delivery, ...content });
  },
});

/**
 * Takes the sha256 digest of a delivery once: right after `deliver`, or by a reaction if its process died. Failed reads
 * are repeated by `unreadable-deliveries.ts`.
 */
@Injectable()
export class DeliveryReader {
  private readonly reading = new Map<string, Promise<DeliveryReading>>();

  constructor(
    private readonly commands: ServiceCommands,
    private readonly safeFetch: SafeFetch,
  ) {}

  /** Concurrent calls in one process share one download. */
  read(delivered: DeliveredEvent): Promise<DeliveryReading> {
    const running = this.reading.get(delivered.id);
    if (running) return running;
    const started = this.readOnce(delivered).finally(() => this.reading.delete(delivered.id));
    this.reading.set(delivered.id, started);
    return started;
  }

  isReading(delivered: string): boolean {
    return this.reading.has(delivered);
  }

  async isRead(delivered: DeliveredEvent): Promise<boolean> {
    return (await this.findReading(delivered)) !== undefined;
  }

  private async findReading({ data, id }: DeliveredEvent): Promise<DeliveryReadEvent | undefined> {
    const { stream, ids, position } = await this.commands.journal.load(Hire.source(data.hire));
    const [event] = await this.commands.journal.readAt(
      stream,
      ids.findRequestRevisions(stream, formatDecisionKey(id, formatDecidedBy(readDelivery))),
      position,
    );
    return event && isEventOf(DeliveryRead, event) ? event : undefined;
  }

  private async readOnce(delivered: DeliveredEvent): Promise<DeliveryReading> {
    const { id, data } = delivered;
    const existing = await this.findReading(delivered);
    if (existing) return readingOf(existing, existing.position);
    const content = await this.fetchContent(data);
    const result = content.ok
      ? { digest: content.digest, bytes: content.bytes, media_type: content.mediaType, reason: null }
      : unread(content.reason);
    const context = this.commands.context(readDelivery, 'a delivery was read', { cause: id });
    const { events, position } = await executeCommand(this.commands.journal, context, {
      writes: Hire.source(data.hire),
      decide: hire => recordReading(hire, { delivery: data.delivery, ...result }),
    });
    return readingOf(events[0] as DeliveryReadEvent, position);
  }

  private async fetchContent(delivered: DeliveredEvent['data']): Promise<DeliveryContent> {
    const { url, worker } = delivered;
    const internal = await readInternalDelivery(this.commands.journal, delivered);
    return internal ?? (url === null ? ERASED_CONTENT : readAddress(this.safeFetch, url, worker));
  }
}

const readingOf = ({ data: { digest, reason } }: DeliveryReadEvent, position: Position): DeliveryReading => ({
  digest,
  reason,
  position,
});

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
