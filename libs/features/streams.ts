import { STREAMS } from '#libs/features/streams.generated.js';
import type { EventTypes } from '#libs/kernel/event-type.js';

const all = STREAMS.flatMap(({ events }) => events);

/** Every event type in its newest version, by name. */
export const EVENT_TYPES: EventTypes = new Map(all.map(type => [type.type, type]));
