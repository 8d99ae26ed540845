import { Controller, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { ReadParameters } from '#libs/http/paging.js';
import { Read } from '#libs/http/routes.js';
import { ListEvents } from './queries/events.js';
import { EVENTS } from './events-feed.answers.js';

@Controller()
export class EventsFeedController {
  constructor(private readonly queries: QueryBus) {}

  @Read('api/events', { describe: EVENTS })
  events(@Query() query: ReadParameters) {
    return this.queries.execute(new ListEvents(query));
  }
}
