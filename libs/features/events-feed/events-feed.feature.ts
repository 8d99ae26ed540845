import { ReadModels } from '#libs/documents/read-models.js';
import { Codec } from '#libs/event-log/codec.js';
import { EventLog } from '#libs/event-log/event-log.port.js';
import { feature } from '#libs/endpoints/feature.js';
import { checkpoint } from './checkpoint.js';
import { Checkpoints } from './checkpoints.js';
import { lookUpInReadModels, PublicEvents } from '#libs/views/public-events.js';
import { eventSchemas } from './event-schemas.js';
import { EventPages } from './event-pages.js';
import { EventSource } from './event-source.js';
import { EventStreams } from './event-streams.js';
import { EventsOfMuse } from './events-of-muse.js';
import { events } from './events.js';
import { NewestEvents } from './newest-events.js';
import { WaitSlots } from './wait-slots.js';

const publicEvents = {
  provide: PublicEvents,
  inject: [Codec, ReadModels, EventLog],
  useFactory: (codec: Codec, models: ReadModels, log: EventLog) =>
    new PublicEvents(codec, lookUpInReadModels(models, log, codec)),
};

export const eventsFeed = feature('events-feed', {
  queries: [events, checkpoint, eventSchemas],
  providers: [publicEvents, EventsOfMuse, EventPages, NewestEvents, EventSource, WaitSlots, EventStreams, Checkpoints],
});
