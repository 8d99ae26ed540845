import { Injectable } from '@nestjs/common';
import type { EventOf } from '#libs/streams/define.js';
import { type Delivered, DeliveryRead, Hire } from '#libs/streams/hire.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal, source } from '#libs/event-log/journal.js';
import { Clock } from '#libs/kernel/clock.js';
import type { Position } from '#libs/kernel/event.js';
import { Integers } from '#libs/kernel/ids.js';
import { SafeFetch } from '#libs/safe-fetch/safe-fetch.js';

export type DeliveredEvent = EventOf<typeof Delivered>;

/** What the service found at a delivery's address. `digest` is null where it could not be read. */
export interface Reading {
  readonly digest: string | null;
  readonly position: Position;
}

/** Reads what was delivered, once a delivery, and writes down its sha256. */
@Injectable()
export class DeliveryReader {
  private readonly reading = new Map<string, Promise<Reading>>();

  constructor(
    private readonly journal: Journal,
    private readonly safeFetch: SafeFetch,
    private readonly clock: Clock,
    private readonly integers: Integers,
  ) {}

  /** Who asks while it is being read in this process waits for the same reading. */
  read(delivered: DeliveredEvent): Promise<Reading> {
    const running = this.reading.get(delivered.id);
    if (running) return running;
    const started = this.readOnce(delivered).finally(() => this.reading.delete(delivered.id));
    this.reading.set(delivered.id, started);
    return started;
  }

  /** Whether this process reads it right now. */
  isReading(delivered: string): boolean {
    return this.reading.has(delivered);
  }

  /** Whether it is written down what was found. */
  async isRead(delivered: DeliveredEvent): Promise<boolean> {
    return (await this.known(delivered)) !== undefined;
  }

  private async known({ stream, id }: DeliveredEvent): Promise<EventOf<typeof DeliveryRead> | undefined> {
    const { events } = await this.journal.load(source(stream, Hire));
    const found = events.find(({ type, cause }) => type === DeliveryRead.type && cause === id);
    return found as EventOf<typeof DeliveryRead> | undefined;
  }

  private async readOnce(delivered: DeliveredEvent): Promise<Reading> {
    const { stream, id, data } = delivered;
    const known = await this.known(delivered);
    if (known) return { digest: known.data.digest, position: known.position };
    const found = data.url === null ? ({ ok: false, reason: 'erased' } as const) : await this.safeFetch.fetch(data.url);
    const { hire, role, poster, worker, delivery } = data;
    const result = found.ok
      ? { digest: found.digest, bytes: found.bytes, reason: null }
      : { digest: null, bytes: 0, reason: found.reason };
    const { events, position } = await carryOut(this.journal, this.context(id), {
      writes: source(stream, Hire),
      decide: () => [DeliveryRead({ hire, role, poster, worker, delivery, ...result })],
    });
    return { digest: (events[0] as EventOf<typeof DeliveryRead>).data.digest, position };
  }

  private context(cause: string) {
    return {
      actor: 'service',
      at: this.clock.now(),
      requestKey: `${cause}/read_delivery`,
      cause,
      decidedBy: 'read-delivery@1',
      authorization: { mode: 'service', reason: 'a delivery was read' } as const,
      basedOn: {},
      integers: this.integers,
    };
  }
}
