import { type EventTypeRegistry, findWrittenVersion } from '#libs/kernel/event-type.js';
import type { Event, StoredEvent } from '#libs/kernel/event.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { markDataUnreadable } from './unreadable-event.js';

/**
 * Converts a decoded event, which must not be shared yet, to the newest version of its type. If a field is unreadable
 * or an upcast fails, all of its data becomes unreadable.
 */
export function upcast(event: Event, types: EventTypeRegistry): Event {
  const declaration = types.get(event.type);
  if (!declaration || event.version >= declaration.version) return event;
  if (event.unreadable) return markDataUnreadable(event, event.unreadable);
  const [version, upcasts] = [declaration.version, declaration.upcasts.slice(event.version - 1)];
  try {
    const data = upcasts.reduce((data, next) => next(data as never), event.data as object);
    return Object.assign(event, { version, data });
  } catch (cause) {
    return markDataUnreadable(event, Object.keys(event.data as object), cause);
  }
}

/** Decodes an event without keys: sealed fields are null. Undefined for an unknown type or version. */
export function openWithoutKeys(stored: StoredEvent, types: EventTypeRegistry): Event | undefined {
  const seals = findWrittenVersion(stored, types)?.seals;
  if (!seals) return undefined;
  const names = new Set([...seals.private, ...seals.personal, ...seals.held]);
  const data = Object.entries(stored.data as JsonObject).map(([name, value]): [string, Json] => [
    name,
    names.has(name) ? null : value,
  ]);
  return upcast({ ...(stored as unknown as Event), data: Object.fromEntries(data) }, types);
}
