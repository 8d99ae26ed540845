import { STREAMS } from './streams.generated.js';
import type { EventTypeRegistry } from '#libs/kernel/event-type.js';

const eventTypes = STREAMS.flatMap(({ events }) => events);

/** Newest version of each event type, by name. */
export const EVENT_TYPES: EventTypeRegistry = new Map(eventTypes.map(type => [type.type, type]));

const categories = new Map<string, string[]>();
for (const { category, events } of STREAMS)
  for (const { type } of events) categories.set(type, [...(categories.get(type) ?? []), category]);

/** Kinds of streams that an event type belongs into; none for an unknown type. */
export const categoriesOf = (type: string): readonly string[] => categories.get(type) ?? [];
