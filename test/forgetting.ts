import { isDeepStrictEqual } from 'node:util';
import { selectEvents } from '#libs/documents/fold.js';
import type { Event } from '#libs/kernel/event.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { Forgotten, Muse } from '#libs/domain/muse.js';
import { requireEventType } from '#libs/kernel/event-type.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { rebuildDocuments } from './rebuilt-documents.js';

/** Returns the events as they are decrypted without the key of a muse. */
export const openWithoutKey = (events: readonly Event[], muse: string): Event[] =>
  events.map(event => (event.actor === muse ? { ...event, data: erased(event) } : event));

function erased({ type, data }: Event): JsonObject {
  const { seals } = requireEventType(type, EVENT_TYPES);
  const sealed = [...seals.private, ...seals.personal];
  const entries = Object.entries(data as JsonObject);
  return Object.fromEntries(entries.map(([name, value]) => [name, sealed.includes(name) ? null : value]));
}

/** Creates the event that forgets a muse at the end of the log. */
export function forgottenEventAfter(events: readonly Event[], muse: string): Event {
  const last = events.at(-1)!;
  const position = String(BigInt(last.position) + 1n).padStart(last.position.length, '0');
  const { type, version, data } = Forgotten({ muse_id: muse, referred_by: null });
  return {
    ...last,
    id: `forgotten/${muse}`,
    type,
    version,
    data,
    stream: Muse.streamName(muse),
    actor: muse,
    position,
  };
}

/** Returns the muses with events that can be erased. */
export function authorsIn(events: readonly Event[]): string[] {
  const gone = new Set(events.filter(({ type }) => type === Forgotten.type).map(({ actor }) => actor));
  const authors = new Set(events.map(({ actor }) => actor).filter(actor => MUSE_ID.test(actor)));
  return [...authors].filter(actor => actor !== SYSTEM_ACCOUNT_ID && !gone.has(actor));
}

/** Compares folding events and then `Forgotten` with folding erased events, as a rebuild does. */
export function forgettingProblems(
  projections: readonly Projection[],
  events: readonly Event[],
  muse: string,
): string[] {
  const forgotten = forgottenEventAfter(events, muse);
  const erasedEvents = openWithoutKey(events, muse);
  return projections.flatMap(projection => {
    const folded = (all: readonly Event[]) =>
      rebuildDocuments(projection, selectEvents(projection, { events: [...all, forgotten], stored: [] }));
    // Without an event of the muse, both are folds of the same events.
    if (!events.some(({ actor, type }) => actor === muse && projection.types.includes(type))) return [];
    const [kept, gone] = [folded(events), folded(erasedEvents)];
    const ids = new Set([...kept.keys(), ...gone.keys()]);
    const differing = [...ids].filter(id => !isDeepStrictEqual(kept.get(id)?.body, gone.get(id)?.body));
    return differing.map(id => `${projection.name}/${id} still says what ${muse} wrote`);
  });
}
