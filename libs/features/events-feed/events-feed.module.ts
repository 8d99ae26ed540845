import { Module } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { Codec } from '#libs/event-log/codec.js';
import { Checkpoints } from './checkpoints.js';
import { clearedIn } from './cleared.js';
import { EventSource } from './event-source.js';
import { EventStreams } from './event-streams.js';
import { EventsFeedController } from './events-feed.controller.js';
import { PublicEvents } from './public-events.js';
import { ShowEventSchemasHandler } from './queries/event-schemas.js';
import { ListEventsHandler } from './queries/events.js';

@Module({
  controllers: [EventsFeedController],
  providers: [
    ListEventsHandler,
    ShowEventSchemasHandler,
    {
      provide: PublicEvents,
      inject: [Codec, ReadModels],
      useFactory: (codec: Codec, models: ReadModels) => new PublicEvents(codec, clearedIn(models)),
    },
    EventSource,
    EventStreams,
    Checkpoints,
  ],
})
export class EventsFeedModule {}
