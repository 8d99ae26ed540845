import { Module } from '@nestjs/common';
import { Checkpoints } from './checkpoints.js';
import { EventSource } from './event-source.js';
import { EventStreams } from './event-streams.js';
import { EventsFeedController } from './events-feed.controller.js';
import { PublicEvents } from './public-events.js';
import { ShowEventSchemasHandler } from './queries/event-schemas.js';
import { ListEventsHandler } from './queries/events.js';

@Module({
  controllers: [EventsFeedController],
  providers: [ListEventsHandler, ShowEventSchemasHandler, PublicEvents, EventSource, EventStreams, Checkpoints],
})
export class EventsFeedModule {}
