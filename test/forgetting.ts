import { isDeepStrictEqual } from 'node:util';
import { eventsFor } from '#libs/documents/fold.js';
import { rebuild } from '#libs/audit/rebuild.js';
import type { Event } from '#libs/kernel/event.js';
import { HOUSE_ID } from '#libs/kernel/house.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { Forgotten, Muse } from '#libs/domain/muse.js';
import { eventType } from '#libs/kernel/event-type.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

/** Events as they are opened once a muse's key is gone. */
export const opensWithout = (events: readonly Event[], muse: string): Event[] =>
  events.map(event => (event.actor === muse ? { ...event, data: erased(event) } : event));

function erased({ type, data }: Event): JsonObject {
  const { seals } = eventType(type, EVENT_TYPES);
  const sealed = [...seals.private, ...seals.personal];
  const entries = Object.entries(data as JsonObject);
  return Object.fromEntries(entries.map(([name, value]) => [name, sealed.includes(name) ? null : value]));
}

/** What erases a muse behind everything else. */
export function forgottenBehind(events: readonly Event[], muse: string): Event {
  const last = events.at(-1)!;
  const position = String(BigInt(last.position) + 1n).padStart(last.position.length, '0');
  const { type, version, data } = Forgotten({ muse_id: muse, referred_by: null });
  return { ...last, id: `forgotten/${muse}`, type, version, data, stream: Muse.named(muse), actor: muse, position };
}

/** Whoever has written something that may be erased. */
export function authorsIn(events: readonly Event[]): string[] {
  const gone = new Set(events.filter(({ type }) => type === Forgotten.type).map(({ actor }) => actor));
  const authors = new Set(events.map(({ actor }) => actor).filter(actor => MUSE_ID.test(actor)));
  return [...authors].filter(actor => actor !== HOUSE_ID && !gone.has(actor));
}

/**
 * Where folding what a muse wrote and then its `Forgotten` differs from folding nulls and then its `Forgotten`: what a
 * rebuild makes of the log once the key is gone.
 */
export function forgettingProblems(projection: Projection, events: readonly Event[], muse: string): string[] {
  const folded = (all: readonly Event[]) =>
    rebuild(projection, eventsFor(projection, { events: [...all, forgottenBehind(events, muse)], stored: [] }));
  const [kept, gone] = [folded(events), folded(opensWithout(events, muse))];
  const ids = new Set([...kept.keys(), ...gone.keys()]);
  const differing = [...ids].filter(id => !isDeepStrictEqual(kept.get(id)?.body, gone.get(id)?.body));
  return differing.map(id => `${projection.name}/${id} still says what ${muse} wrote`);
}
