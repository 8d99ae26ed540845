import { STREAMS } from './streams.generated.js';
import type { EventTypeRegistry } from '#libs/kernel/event-type.js';

const eventTypes = STREAMS.flatMap(({ events }) => events);

/** Newest version of each event type, by name. */
export const EVENT_TYPES: EventTypeRegistry = new Map(eventTypes.map(type => [type.type, type]));
