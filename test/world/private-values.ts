import type { Event } from '#libs/kernel/event.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

/** Shorter values stand somewhere by chance. */
const CHARACTERS_MIN = 5;
/** What a payment keeps of its request holds whatever was sent, private values too. */
const REQUESTS = new Set(['fields', 'subject', 'things']);

/** Every value that the log holds as private or held, and that nothing else of it says openly. */
export function privateValues(events: readonly Event[]): string[] {
  const hidden = new Set(events.flatMap(event => textsOf(event, isHidden)));
  const open = events.flatMap(event => textsOf(event, (name, type) => !isHidden(name, type) && !REQUESTS.has(name)));
  const said = new Set(open.map(text => text.toLowerCase()));
  return [...hidden].filter(text => text.length >= CHARACTERS_MIN && !said.has(text.toLowerCase()));
}

/** Which of the values stand in a text, each with what the text is. */
export function leaksIn(what: string, text: string, values: readonly string[]): string[] {
  const lower = text.toLowerCase();
  return values.filter(value => lower.includes(escaped(value))).map(value => `${what} shows ${value}`);
}

/** As it would stand in JSON. */
const escaped = (value: string) => JSON.stringify(value.toLowerCase()).slice(1, -1);

function isHidden(name: string, type: string): boolean {
  const seals = EVENT_TYPES.get(type)?.seals;
  return seals !== undefined && [...seals.private, ...seals.held].includes(name);
}

function textsOf({ type, data }: Event, isWanted: (name: string, type: string) => boolean): string[] {
  return Object.entries(data as JsonObject).flatMap(([name, value]) => (isWanted(name, type) ? stringsIn(value) : []));
}

function stringsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value as JsonObject).flatMap(stringsIn) : [];
}
