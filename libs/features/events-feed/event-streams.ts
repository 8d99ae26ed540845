import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import type { Position } from '#libs/kernel/event.js';
import { clientAddress } from '#libs/http/client-address.js';
import { fieldRule, Refusal } from '#libs/kernel/refusal.js';
import { type EventFilter, positionInLog } from './event-filter.js';
import { EventSource } from './event-source.js';

/** How many live tails one network address may hold. */
const TAILS_MAX = 4;
const TAILS_RETRY_SECONDS = 15;

/** The feed as a stream: what is written waits for the reader. */
@Injectable()
export class EventStreams {
  private readonly tails = new Map<string, number>();

  constructor(private readonly events: EventSource) {}

  /** `application/x-ndjson`: one event a line up to the head of that moment, then `{"head": ...}`. */
  lines(after: Position, filter: EventFilter, request: FastifyRequest): Readable {
    return isHead(request) ? Readable.from([]) : Readable.from(this.linesFrom(after, filter));
  }

  /** `text/event-stream` (HTML, 9.2): `id` is the position, `event` the type; a comment line where nothing happens. */
  tail(after: Position, filter: EventFilter, request: FastifyRequest): Readable {
    const last = request.headers['last-event-id'];
    const from = typeof last === 'string' && last !== '' ? last : after;
    fieldRule(positionInLog.holds(from), 'after', `after must be ${positionInLog.mustBe}.`);
    if (isHead(request)) return Readable.from([]);
    const address = clientAddress(request.ip);
    this.enter(address);
    const gone = (end: () => void) => void request.raw.once('close', end);
    const messages = this.events.tail(from, filter, gone);
    return Readable.from(this.messagesOf(messages, address));
  }

  private async *linesFrom(after: Position, filter: EventFilter): AsyncGenerator<string> {
    // The head as it was before: who goes on behind it misses nothing that was appended meanwhile.
    const head = await this.events.head();
    for await (const event of this.events.upTo(head, after, filter)) yield `${JSON.stringify(event)}\n`;
    yield `${JSON.stringify({ head })}\n`;
  }

  private async *messagesOf(messages: ReturnType<EventSource['tail']>, address: string): AsyncGenerator<string> {
    try {
      yield ': the events follow\n\n';
      for await (const event of messages) yield event === null ? ': nothing new\n\n' : message(event);
    } finally {
      this.leave(address);
    }
  }

  private enter(address: string): void {
    const open = this.tails.get(address) ?? 0;
    if (open >= TAILS_MAX) {
      const more = { limit: 'event_tails' };
      throw new Refusal('rate_limited', `At most ${TAILS_MAX} live tails at once.`, {
        retryAfter: TAILS_RETRY_SECONDS,
        more,
      });
    }
    this.tails.set(address, open + 1);
  }

  private leave(address: string): void {
    const open = (this.tails.get(address) ?? 1) - 1;
    if (open > 0) this.tails.set(address, open);
    else this.tails.delete(address);
  }
}

/** Fastify would read a stream to its end for the length of what it does not send, and a tail has none. */
const isHead = ({ method }: FastifyRequest) => method === 'HEAD';

function message(event: { readonly [name: string]: unknown }): string {
  return `id: ${String(event['position'])}\nevent: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`;
}
