import { Controller, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReadParameters } from '#libs/http/paging.js';
import { Read } from '#libs/http/routes.js';
import { Checkpoints } from './checkpoints.js';
import { EventStreams } from './event-streams.js';
import { CHECKPOINT, EVENT_SCHEMAS, EVENTS } from './events-feed.answers.js';
import { ShowEventSchemas } from './queries/event-schemas.js';
import { ListEvents } from './queries/events.js';

@Controller()
export class EventsFeedController {
  constructor(
    private readonly queries: QueryBus,
    private readonly streams: EventStreams,
    private readonly checkpoints: Checkpoints,
  ) {}

  /** A page; as `application/x-ndjson` all of it, as `text/event-stream` a live tail. */
  @Read('api/events', { describe: EVENTS })
  async events(@Query() query: ReadParameters, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const accept = request.headers.accept ?? '';
    if (/application\/x-ndjson/i.test(accept)) {
      return reply
        .type('application/x-ndjson')
        .header('cache-control', 'no-store')
        .send(this.streams.lines(query, request));
    }
    if (/text\/event-stream/i.test(accept)) {
      return reply
        .type('text/event-stream')
        .header('cache-control', 'no-store')
        .send(this.streams.tail(query, request));
    }
    return reply.send(await this.queries.execute(new ListEvents(query)));
  }

  /** The newest checkpoint, a C2SP signed note. */
  @Read('api/events/checkpoint', { bare: true, describe: CHECKPOINT })
  async checkpoint(@Res() reply: FastifyReply) {
    return reply.type('text/plain; charset=utf-8').send(await this.checkpoints.newest());
  }

  @Read('api/events/schema', { describe: EVENT_SCHEMAS })
  schema() {
    return this.queries.execute(new ShowEventSchemas());
  }
}
