import type { EventTypes } from '#libs/kernel/event-type.js';
import { STREAMS } from './streams.generated.js';

const all = STREAMS.flatMap(({ events }) => events);

/** Every event type in its newest version, by name. */
export const EVENT_TYPES: EventTypes = new Map(all.map(type => [type.type, type]));
