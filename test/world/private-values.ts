import type { Event } from '#libs/kernel/event.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

/** Shorter values stand somewhere by chance. */
const CHARACTERS_MIN = 5;
/** What a payment keeps of its request holds whatever was sent, private values too. */
const REQUESTS = new Set(['fields', 'subject', 'things']);

/** Private and held values of a log, each with its event type and field. */
export type PrivateValues = ReadonlyMap<string, string>;

/** Every value that the log holds as private or held, and that no other field of it shows. */
export function privateValues(events: readonly Event[]): PrivateValues {
  const hidden = events.flatMap(event => textsOf(event, isHidden));
  const open = events.flatMap(event => textsOf(event, (name, type) => !isHidden(name, type) && !REQUESTS.has(name)));
  const shown = new Set(open.map(([text]) => text.toLowerCase()));
  return new Map(hidden.filter(([text]) => text.length >= CHARACTERS_MIN && !shown.has(text.toLowerCase())));
}

/** A sentence for each of the values that is in a text: the name of the text, the value and its field. */
export function leaksIn(what: string, text: string, values: PrivateValues): string[] {
  const lower = text.toLowerCase();
  const leaked = [...values].filter(([value]) => lower.includes(escaped(value)));
  return leaked.map(([value, field]) => `${what} shows ${value}, which is ${field}`);
}

/** As it would stand in JSON. */
const escaped = (value: string) => JSON.stringify(value.toLowerCase()).slice(1, -1);

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
