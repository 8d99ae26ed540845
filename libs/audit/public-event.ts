import { upcast } from '#libs/event-log/upcast.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import type { Authorization, Event, StoredEvent } from '#libs/kernel/event.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { isJsonObject, clearMembers } from './opened-values.js';
import { toSealedForm } from '#libs/platform/signing/event-text.js';
import { type EventTypeRegistry } from '#libs/kernel/event-type.js';

/**
 * An event as everybody sees it: each sealed value is `{sealed, value?}`, and `digest` is the leaf of the tree. Of
 * events of private types only `{id, type, version, position, at, digest}` is shown.
 */
export type PublicEvent = StoredEvent & { readonly digest: string };

/** Whether of the event nothing but its digest is shown. */
export const isPrivateEvent = (event: PublicEvent): boolean => event.data === undefined;

/** The event as a replay sees it, in the newest version of its type: what is private, held or erased is null. */
export function openPublicEvent(
  { digest: _digest, ...event }: PublicEvent,
  types: EventTypeRegistry = EVENT_TYPES,
): Event {
  const authorization = clearMembers(event.authorization as JsonObject) as unknown as Authorization;
  return upcast({ ...event, data: clearMembers(event.data as JsonObject), authorization }, types);
}

/** The event as the log stores it: without a value that is shown. */
export function sealPublicEvent({ digest: _digest, ...event }: PublicEvent): StoredEvent {
  return { ...event, data: toSealedForm(event.data), authorization: toSealedForm(event.authorization) };
}

/** An event with every sealed value beside it that opens: for who has the keys. Not to be shown to others. */
export function withOpenedValues(stored: StoredEvent, event: Event, digest: string): PublicEvent {
  const data = addOpenedValues(stored.data as JsonObject, event.data as JsonObject);
  const authorization = addOpenedValues(stored.authorization as JsonObject, event.authorization);
  return { ...stored, data, authorization, digest };
}

/** The members as they are stored, with the value beside each sealed one that opens. */
function addOpenedValues(stored: JsonObject, values: JsonObject): JsonObject {
  const all: { [name: string]: Json } = { ...stored };
  for (const [name, value] of Object.entries(stored)) {
    const open = values[name] ?? null;
    if (isJsonObject(value) && typeof value['sealed'] === 'string' && open !== null)
      all[name] = { ...value, value: open };
  }
  return all;
}

const TEXT_MEMBERS = ['id', 'stream', 'actor', 'cause', 'decided_by'] as const;

/** Whether a value has the members of a public event. What stands in them is not checked. */
export function isPublicEvent(value: unknown): value is PublicEvent {
  if (!isJsonObject(value as Json)) return false;
  const event = value as JsonObject;
  const head = ['type', 'position', 'digest'].every(name => typeof event[name] === 'string');
  if (!head || event['data'] === undefined) return head;
  const texts = TEXT_MEMBERS.every(name => typeof event[name] === 'string');
  const objects = ['data', 'authorization', 'based_on'].every(name => isJsonObject(event[name]));
  return texts && objects && Number.isInteger(event['revision']) && Number.isInteger(event['at']);
}
