import { upcast } from '#libs/event-log/upcast.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import type { EventTypeRegistry } from '#libs/kernel/event-type.js';
import type { Authorization, Event, StoredEvent } from '#libs/kernel/event.js';
import { isJsonObject, type Json, type JsonObject } from '#libs/kernel/json.js';
import { toSealedForm } from '#libs/platform/signing/event-text.js';
import { clearMembers } from './opened-values.js';

/**
 * Each sealed value is `{sealed, value?}`, and `digest` is the leaf of the tree. A private event has only `{id, type,
 * version, position, at, digest}`.
 */
export type PublicEvent = StoredEvent & { readonly digest: string };

export const isPrivateEvent = (event: PublicEvent): boolean => event.data === undefined;

/** Converts the event to the newest version of its type; hidden values are null. */
export function openPublicEvent(
  { digest: _digest, ...event }: PublicEvent,
  types: EventTypeRegistry = EVENT_TYPES,
): Event {
  const authorization = clearMembers(event.authorization as JsonObject) as unknown as Authorization;
  return upcast({ ...event, data: clearMembers(event.data as JsonObject), authorization }, types);
}

export function sealPublicEvent({ digest: _digest, ...event }: PublicEvent): StoredEvent {
  return { ...event, data: toSealedForm(event.data), authorization: toSealedForm(event.authorization) };
}

/** Adds every value that the vault opens. Do not publish the result. */
export function withOpenedValues(stored: StoredEvent, event: Event, digest: string): PublicEvent {
  const data = addOpenedValues(stored.data as JsonObject, event.data as JsonObject);
  const authorization = addOpenedValues(stored.authorization as JsonObject, event.authorization);
  return { ...stored, data, authorization, digest };
}

function addOpenedValues(stored: JsonObject, values: JsonObject): JsonObject {
  const members: { [name: string]: Json } = { ...stored };
  for (const [name, value] of Object.entries(stored)) {
    const opened = values[name] ?? null;
    if (isJsonObject(value) && typeof value['sealed'] === 'string' && opened !== null)
      members[name] = { ...value, value: opened };
  }
  return members;
}

const TEXT_MEMBERS = ['id', 'stream', 'actor', 'cause', 'decided_by'] as const;

/** Checks the types of the members, not their values. */
export function isPublicEvent(event: unknown): event is PublicEvent {
  if (!isJsonObject(event)) return false;
  const hasHead = ['type', 'position', 'digest'].every(name => typeof event[name] === 'string');
  if (!hasHead || event['data'] === undefined) return hasHead;
  const hasTexts = TEXT_MEMBERS.every(name => typeof event[name] === 'string');
  const hasObjects = ['data', 'authorization', 'based_on'].every(name => isJsonObject(event[name]));
  return hasTexts && hasObjects && Number.isInteger(event['revision']) && Number.isInteger(event['at']);
}
