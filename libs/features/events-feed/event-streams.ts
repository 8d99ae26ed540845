import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { logPosition } from '#libs/checks/words.js';
import { beginLiveStream } from '#libs/http/live-stream.js';
import { ServiceStop } from '#libs/http/service-stop.js';
import type { Position } from '#libs/kernel/event.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import type { Http } from '#libs/verbs/read.js';
import type { EventFilter } from './event-filter.js';
import { EventSource } from './event-source.js';
import { WaitingPlaces } from './waiting-places.js';

/** The feed as a stream: what is written waits for the reader. */
@Injectable()
export class EventStreams {
  constructor(
    private readonly events: EventSource,
    private readonly places: WaitingPlaces,
    private readonly stop: ServiceStop,
  ) {}

  /** `application/x-ndjson`: one event a line up to the head of that moment, then `{"head": ...}`. */
  lines(after: Position, filter: EventFilter, request: FastifyRequest): Readable {
    return isHead(request) ? Readable.from([]) : Readable.from(this.linesFrom(after, filter));
  }

  /** `text/event-stream` (HTML, 9.2): `id` is the position, `event` the type; a comment line where nothing happens. */
  async tail(after: Position, filter: EventFilter, http: Http): Promise<Readable> {
    const { request, reply } = http;
    const last = request.headers['last-event-id'];
    const from = typeof last === 'string' && last !== '' ? last : after;
    fieldRule(logPosition.holds(from), 'after', `after must be ${logPosition.mustBe}.`, logPosition.fault!(from));
    if (!isHead(request)) await this.events.mustHold(from);
    const gone = isHead(request) ? null : this.places.hold('event_tails', http).gone;
    beginLiveStream(reply, this.stop.signal);
    if (!gone) return Readable.from([]);
    return Readable.from(messagesOf(this.events.tail(from, filter, gone)));
  }

  private async *linesFrom(after: Position, filter: EventFilter): AsyncGenerator<string> {
    // The head as it was before: who goes on behind it misses nothing that was appended meanwhile.
    const head = await this.events.head();
    for await (const event of this.events.upTo(head, after, filter)) yield `${JSON.stringify(event)}\n`;
    yield `${JSON.stringify({ head })}\n`;
  }
}

/** Fastify would read a stream to its end for the length of what it does not send, and a tail has none. */
export const isHead = ({ method }: FastifyRequest) => method === 'HEAD';

async function* messagesOf(messages: ReturnType<EventSource['tail']>): AsyncGenerator<string> {
  yield ': the events follow\n\n';
  for await (const event of messages) yield event === null ? ': nothing new\n\n' : message(event);
}

function message(event: { readonly [name: string]: unknown }): string {
  return `id: ${String(event['position'])}\nevent: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`;
}
