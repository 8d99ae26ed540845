import type { EventTypeRegistry } from '#libs/kernel/event-type.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import { MUSE_ID } from '#libs/kernel/ids.js';

/** Returns the actor and the muses in the data; none for private event types. */
export function musesIn({ type, actor, data }: StoredEvent, types: EventTypeRegistry): string[] {
  if (types.get(type)?.privateType) return [];
  const museIds = new Set([actor]);
  addMuseIds(data, museIds);
  return [...museIds];
}

/** Adds muse ids, also from lists and objects, but not from sealed values. */
function addMuseIds(value: unknown, museIds: Set<string>): void {
  if (typeof value === 'string') {
    if (MUSE_ID.test(value)) museIds.add(value);
  } else if (typeof value === 'object' && value !== null && !Object.hasOwn(value, 'sealed')) {
    for (const member of Object.values(value)) addMuseIds(member, museIds);
  }
}
