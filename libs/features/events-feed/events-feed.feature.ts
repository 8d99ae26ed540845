import { feature } from '#libs/endpoints/feature.js';
import { checkpoint } from './checkpoint.js';
import { Checkpoints } from './checkpoints.js';
import { eventSchemas } from './event-schemas.js';
import { EventPages } from './event-pages.js';
import { EventSource } from './event-source.js';
import { EventStreams } from './event-streams.js';
import { EventsOfMuse } from './events-of-muse.js';
import { events } from './events.js';
import { NewestEvents } from './newest-events.js';
import { WaitSlots } from './wait-slots.js';

export const eventsFeed = feature('events-feed', {
  queries: [events, checkpoint, eventSchemas],
  providers: [EventsOfMuse, EventPages, NewestEvents, EventSource, WaitSlots, EventStreams, Checkpoints],
});
