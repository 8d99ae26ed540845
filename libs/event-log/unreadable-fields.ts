import type { Event } from '#libs/kernel/event.js';
import { UnreadableEvent } from './unreadable.js';

/**
 * Puts into an event, which nobody has seen yet, that fields of it cannot be read. Whoever does without them goes on;
 * whoever reads one is thrown `UnreadableEvent`.
 */
export function withUnreadable(event: Event, fields: readonly string[], cause?: unknown): Event {
  const data = { ...(event.data as object) };
  for (const name of fields) Object.defineProperty(data, name, throwing(event, fields, cause));
  return Object.assign(event, { data, unreadable: fields });
}

/** The same of an event none of whose data can be read. */
export function withoutData(event: Event, fields: readonly string[], cause?: unknown): Event {
  const unreadable = Object.assign(event, { unreadable: fields });
  return Object.defineProperty(unreadable, 'data', throwing(event, fields, cause));
}

function throwing({ id, type, version, stream, position }: Event, fields: readonly string[], cause: unknown) {
  const get = () => {
    throw new UnreadableEvent({ id, type, version, stream, position }, fields, { cause });
  };
  return { get, enumerable: true, configurable: true };
}
