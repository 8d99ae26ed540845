import type { Event } from '#libs/kernel/event.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

/** Shorter values can occur by chance. */
const CHARACTERS_MIN = 5;
/** Payment fields with the whole request, including private values. */
const REQUESTS = new Set(['fields', 'subject', 'things']);

/** Fields by value. `json` is the value in lower case, as JSON shows it. */
export type PrivateValues = ReadonlyMap<string, { readonly json: string; readonly field: string }>;

/** Returns the private and held values of events that no public field of the log contains. */
export function privateValues(events: readonly Event[], log: readonly Event[]): PrivateValues {
  const hidden = events.flatMap(event => textsOf(event, isHidden));
  const open = log.flatMap(event => textsOf(event, (name, type) => !isHidden(name, type) && !REQUESTS.has(name)));
  const shown = new Set(open.map(([text]) => text.toLowerCase()));
  const secret = hidden.filter(([text]) => text.length >= CHARACTERS_MIN && !shown.has(text.toLowerCase()));
  return new Map(
    secret.map(([text, field]) => [text, { json: JSON.stringify(text.toLowerCase()).slice(1, -1), field }]),
  );
}

export function leaksIn(what: string, text: string, values: PrivateValues): string[] {
  const lower = text.toLowerCase();
  const leaked = [...values].filter(([, { json }]) => lower.includes(json));
  return leaked.map(([value, { field }]) => `${what} shows ${value}, which is ${field}`);
}

function isHidden(name: string, type: string): boolean {
  const seals = EVENT_TYPES.get(type)?.seals;
  return seals !== undefined && [...seals.private, ...seals.held].includes(name);
}

type Text = readonly [text: string, field: string];

function textsOf({ type, data }: Event, isWanted: (name: string, type: string) => boolean): Text[] {
  return Object.entries(data as JsonObject).flatMap(([name, value]) =>
    isWanted(name, type) ? stringsIn(value).map((text): Text => [text, `${type}.${name}`]) : [],
  );
}

function stringsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value as JsonObject).flatMap(stringsIn) : [];
}
