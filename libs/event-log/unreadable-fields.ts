import type { Event } from '#libs/kernel/event.js';
import { UnreadableEvent } from './unreadable-event.js';

/** Lets reads of the fields throw `UnreadableEvent`. Modifies the event, which must not be shared yet. */
export function markFieldsUnreadable(event: Event, fields: readonly string[], cause?: unknown): Event {
  const data = { ...(event.data as object) };
  for (const name of fields) Object.defineProperty(data, name, createThrowingProperty(event, fields, cause));
  return Object.assign(event, { data, unreadable: fields });
}

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
