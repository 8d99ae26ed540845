import { Injectable } from '@nestjs/common';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { Clock } from '#libs/kernel/clock.js';
import type { Fact, Position } from '#libs/kernel/event.js';
import { Integers } from '#libs/kernel/ids.js';
import { serviceContext } from '#libs/kernel/decide.js';
import { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { type EventOf, isEventOf } from '#libs/domain/define.js';
import { type Delivered, DeliveryRead, Hire, hasDelivery, partiesOf } from '#libs/features/hires/domain/hire.js';
import { formatDecidedBy, serviceDecision, assertAudit, requireVisible } from '#libs/endpoints/decision.js';
import { ERASED_CONTENT, type DeliveryContent, readInternalDelivery } from './delivery-content.js';

export type DeliveredEvent = EventOf<typeof Delivered>;
type DeliveryReadEvent = EventOf<typeof DeliveryRead>;

/** `digest` is null if the address could not be read. */
interface DeliveryReading {
  readonly digest: string | null;
  /** A code of `FAILURE_REASONS`; null if the delivery was read. */
  readonly reason: string | null;
  readonly position: Position;
}

/** The audit takes the content from the event, but checks that the delivery had not been read before. */
export const readDelivery = serviceDecision('read-delivery', {
  by: 'service',
  writes: [DeliveryRead],
  decide({ event, own }): Fact[] {
    const hire = own(Hire);
    const { delivery, digest, bytes, reason } = (event as DeliveryReadEvent).data;
    assertAudit(hire.status !== 'unknown', 'There is no such hire.');
    const latest = hasDelivery(hire) ? hire.delivery : null;
    assertAudit(latest !== null && delivery >= 1 && delivery <= latest.delivery, `There is no delivery ${delivery}.`);
    const isLatest = latest.delivery === delivery;
    assertAudit(!isLatest || latest.event === event.cause, `Delivery ${delivery} was made by another event.`);
    assertAudit(!isLatest || latest.digest === undefined, `Delivery ${delivery} had been read before.`);
    const content =
      digest === null ? { digest, bytes: 0, reason: requireVisible(reason) } : { digest, bytes, reason: null };
    return [DeliveryRead({ ...partiesOf(hire), delivery, ...content })];
  },
});

/**
 * Takes the sha256 digest of a delivery once: right after `deliver`, or by a reaction if its process died. Failed reads
 * are repeated by `retry-schedule.ts`.
 */
@Injectable()
export class DeliveryReader {
  private readonly reading = new Map<string, Promise<DeliveryReading>>();

  constructor(
    private readonly journal: Journal,
    private readonly safeFetch: SafeFetch,
    private readonly clock: Clock,
    private readonly integers: Integers,
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
    const { stream, ids, position } = await this.journal.load(Hire.source(data.hire));
    const [event] = await this.journal.readAt(stream, ids.findRequestRevisions(stream, keyOf(id)), position);
    return event && isEventOf(DeliveryRead, event) ? event : undefined;
  }

  private async readOnce(delivered: DeliveredEvent): Promise<DeliveryReading> {
    const { id, data } = delivered;
    const existing = await this.findReading(delivered);
    if (existing) return readingOf(existing, existing.position);
    const content = await this.fetchContent(data);
    const result = content.ok
      ? { digest: content.digest, bytes: content.bytes, reason: null }
      : { digest: null, bytes: 0, reason: content.reason };
    const { events, position } = await executeCommand(this.journal, this.context(id), {
      writes: Hire.source(data.hire),
      decide: () => [DeliveryRead({ ...partiesOf(data), delivery: data.delivery, ...result })],
    });
    return readingOf(events[0] as DeliveryReadEvent, position);
  }

  private async fetchContent(delivered: DeliveredEvent['data']): Promise<DeliveryContent> {
    const { url, worker } = delivered;
    const internal = await readInternalDelivery(this.journal, delivered);
    return internal ?? (url === null ? ERASED_CONTENT : this.safeFetch.fetch(url, { account: worker }));
  }

  private context(cause: string) {
    const { clock, integers } = this;
    return serviceContext({
      at: clock.now(),
      requestKey: keyOf(cause),
      cause,
      decidedBy: formatDecidedBy(readDelivery),
      reason: 'a delivery was read',
      integers,
    });
  }
}

const readingOf = ({ data: { digest, reason } }: DeliveryReadEvent, position: Position): DeliveryReading => ({
  digest,
  reason,
  position,
});

const keyOf = (delivered: string) => `${delivered}/read_delivery`;
