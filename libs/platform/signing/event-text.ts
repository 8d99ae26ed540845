import type { StoredEvent } from '#libs/kernel/event.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { canonicalJson } from './canonical-json.js';

/** An event as it is digested: without its position, which is the adapter's own. */
export type DigestedEvent = Omit<StoredEvent, 'position'>;

/**
 * The canonical JSON (RFC 8785) of the stored envelope without `position`, sealed values as they are stored. Members
 * that do not belong to the envelope are not looked at, so every adapter and export agrees.
 */
export function eventText(event: DigestedEvent): string {
  const { actor, at, authorization, based_on, cause, data, decided_by, id, revision, stream, type, version } = event;
  // In the order of the text, and one literal: to put them into it takes longer than all the rest.
  const text = { actor, at, authorization, based_on, cause, data, decided_by, id, revision, stream, type, version };
  return canonicalJson(text);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value with every `{sealed, value}` of the public feed as the `{sealed}` that is stored; itself without any. */
export function toSealedForm(value: Json): Json {
  if (Array.isArray(value)) return value.some(item => toSealedForm(item) !== item) ? value.map(toSealedForm) : value;
  if (!isObject(value)) return value;
  if (typeof value['sealed'] === 'string') return { sealed: value['sealed'] };
  let changed: { [name: string]: Json } | undefined;
  for (const [name, member] of Object.entries(value)) {
    const sealed = toSealedForm(member);
    if (sealed !== member) (changed ??= { ...value })[name] = sealed;
  }
  return changed ?? value;
}

/** The same of an event of the public feed: that of the stored event it shows. */
export const feedEventText = (event: DigestedEvent): string =>
  eventText({ ...event, authorization: toSealedForm(event.authorization), data: toSealedForm(event.data) });
