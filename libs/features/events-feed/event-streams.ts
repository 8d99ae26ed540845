import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { SMALL_RESPONSE_BYTES } from '#libs/http/response-memory.js';
import { findBrokenRule } from '#libs/values/value.js';
import { logPosition } from '#libs/values/values.js';
import { startLiveStream, ShutdownSignal } from '#libs/http/long-responses.js';
import type { Position } from '#libs/kernel/event.js';
import { FieldRefusal } from '#libs/kernel/refusal.js';
import type { HttpExchange } from '#libs/endpoints/query.js';
import type { EventFilter } from './event-filter.js';
import { EventSource } from './event-source.js';
import { WaitSlots } from './wait-slots.js';

@Injectable()
export class EventStreams {
  constructor(
    private readonly events: EventSource,
    private readonly slots: WaitSlots,
    private readonly stop: ShutdownSignal,
  ) {}

  /** `application/x-ndjson`: one event per line up to the current head, then `{"head": ...}`. */
  lines(after: Position, filter: EventFilter, request: FastifyRequest): Readable {
    request.memory?.resize(SMALL_RESPONSE_BYTES);
    if (!isHead(request)) return Readable.from(this.writeLines(after, filter, request));
    request.readCost?.correct(0);
    return Readable.from([]);
  }

  /** `text/event-stream` (HTML, 9.2): `id` is the position, `event` the type; comments are heartbeats. */
  async tail(after: Position, filter: EventFilter, http: HttpExchange): Promise<Readable> {
    const { request, reply } = http;
    const lastEventId = request.headers['last-event-id'];
    const from = typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : after;
    const broken = findBrokenRule(logPosition, from);
    if (broken) throw new FieldRefusal('after', `\`after\` must be ${logPosition.mustBe}.`, broken.reason);
    if (!isHead(request)) await this.events.assertReached(from);
    const disconnected = isHead(request) ? null : this.slots.acquire('event_tails', http).disconnected;
    startLiveStream(reply, this.stop.signal);
    if (!disconnected) return Readable.from([]);
    request.memory?.free();
    return Readable.from(formatMessages(this.events.tail(from, filter, disconnected, request.memory), request));
  }

  private async *writeLines(
    after: Position,
    filter: EventFilter,
    { memory, readCost }: FastifyRequest,
  ): AsyncGenerator<string> {
    // Read before the events, so that resuming after it misses none that are appended during the read.
    const head = await this.events.head();
    let [count, leftOutCount] = [0, 0];
    for await (const { events, leftOut } of this.events.upTo(head, after, filter)) {
      count += events.length;
      leftOutCount += leftOut;
      readCost?.atLeast(count, leftOutCount);
      const lines = events.map(event => `${JSON.stringify(event)}\n`).join('');
      memory?.sending(lines.length);
      if (lines !== '') yield lines;
      memory?.free();
      memory?.resize(SMALL_RESPONSE_BYTES);
    }
    readCost?.correct(count, leftOutCount);
    yield `${JSON.stringify({ head })}\n`;
  }
}

/** For HEAD, Fastify reads a stream to its end to get its length. A tail never ends. */
export const isHead = ({ method }: FastifyRequest) => method === 'HEAD';

async function* formatMessages(
  pages: ReturnType<EventSource['tail']>,
  { memory }: FastifyRequest,
): AsyncGenerator<string> {
  yield ': the events follow\n\n';
  for await (const events of pages) {
    const messages = events.length === 0 ? ': nothing new\n\n' : events.map(formatMessage).join('');
    memory?.sending(messages.length);
    yield messages;
  }
}

function formatMessage(event: { readonly [name: string]: unknown }): string {
  return `id: ${String(event['position'])}\nevent: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`;
}
