import type { StoredEvent } from '#libs/kernel/event.js';
import { isJsonObject, type Json } from '#libs/kernel/json.js';
import { canonicalJson } from './canonical-json.js';

export type DigestedEvent = Omit<StoredEvent, 'position'>;

/**
 * Canonical JSON (RFC 8785) of the stored envelope, with values still sealed. Other members are ignored, so that every
 * adapter and export agrees.
 */
export function eventText(event: DigestedEvent): string {
  const { actor, at, authorization, based_on, cause, data, decided_by, id, revision, stream, type, version } = event;
  // A literal in the order of the text, because sorting would take most of the time.
  const text = { actor, at, authorization, based_on, cause, data, decided_by, id, revision, stream, type, version };
  return canonicalJson(text);
}

/** Replaces every `{sealed, value}` of the public feed by the stored `{sealed}`. */
export function toSealedForm(value: Json): Json {
  if (Array.isArray(value)) return value.some(item => toSealedForm(item) !== item) ? value.map(toSealedForm) : value;
  if (!isJsonObject(value)) return value;
  if (typeof value['sealed'] === 'string') return { sealed: value['sealed'] };
  let changed: { [name: string]: Json } | undefined;
  for (const [name, member] of Object.entries(value)) {
    const sealed = toSealedForm(member);
    if (sealed !== member) (changed ??= { ...value })[name] = sealed;
  }
  return changed ?? value;
}

export const feedEventText = (event: DigestedEvent): string =>
  eventText({ ...event, authorization: toSealedForm(event.authorization), data: toSealedForm(event.data) });
