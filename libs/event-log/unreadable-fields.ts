import type { Event } from '#libs/kernel/event.js';
import { UnreadableEvent } from './unreadable-event.js';

/**
 * Puts into an event, which nobody has seen yet, that fields of it cannot be read. Whoever does without them goes on;
 * whoever reads one is thrown `UnreadableEvent`.
 */
export function markFieldsUnreadable(event: Event, fields: readonly string[], cause?: unknown): Event {
  const data = { ...(event.data as object) };
  for (const name of fields) Object.defineProperty(data, name, createThrowingProperty(event, fields, cause));
  return Object.assign(event, { data, unreadable: fields });
}

/** The same of an event none of whose data can be read. */
export function markDataUnreadable(event: Event, fields: readonly string[], cause?: unknown): Event {
  const unreadable = Object.assign(event, { unreadable: fields });
  return Object.defineProperty(unreadable, 'data', createThrowingProperty(event, fields, cause));
}

function createThrowingProperty(
  { id, type, version, stream, position }: Event,
  fields: readonly string[],
  cause: unknown,
) {
  const get = () => {
    throw new UnreadableEvent({ id, type, version, stream, position }, fields, { cause });
  };
  return { get, enumerable: true, configurable: true };
}
