import type { Event, StoredEvent } from '#libs/kernel/event.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { markDataUnreadable } from './unreadable-fields.js';
import { type EventTypeRegistry, findWrittenVersion } from '#libs/kernel/event-type.js';

/**
 * An opened event, which nobody has seen yet, in the newest version of its type: everything behind this knows that one
 * alone. What cannot be read cannot be brought up to date either: then none of its data can be read.
 */
export function upcast(event: Event, types: EventTypeRegistry): Event {
  const declared = types.get(event.type);
  if (!declared || event.version >= declared.version) return event;
  if (event.unreadable) return markDataUnreadable(event, event.unreadable);
  const [version, upcasts] = [declared.version, declared.upcasts.slice(event.version - 1)];
  try {
    const data = upcasts.reduce((data, next) => next(data as never), event.data as object);
    return Object.assign(event, { version, data });
  } catch (cause) {
    return markDataUnreadable(event, Object.keys(event.data as object), cause);
  }
}

/**
 * A stored event in the newest version of its type, with nothing of what it holds sealed: for who has no keys.
 * Undefined for a type or version that this build does not know.
 */
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
