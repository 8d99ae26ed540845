import { namesValue } from '#libs/values/value.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import { musesIn } from '#libs/features/public-events/views/muses-in.js';

const TYPES_MAX = 100;

export interface EventFilter {
  readonly types: readonly string[] | undefined;
  readonly stream: string | undefined;
  /** Events by this muse, and events that name it. */
  readonly museId: string | undefined;
}

export const eventTypes = namesValue({
  min: 0,
  max: TYPES_MAX,
  isSet: false,
  isKnown: name => EVENT_TYPES.has(name),
  mustBe: `at most ${TYPES_MAX} comma separated names of event types; see /api/events/schema`,
});

interface EventQuery {
  readonly types?: readonly string[];
  readonly stream?: string;
  readonly muse_id?: string;
}

export const filterOf = ({ types, stream, muse_id: museId }: EventQuery): EventFilter => ({
  types: types?.length ? types : undefined,
  stream,
  museId,
});

/** Private types never match a filter by stream or muse. */
export function matchesFilter(event: StoredEvent, { types, stream, museId }: EventFilter): boolean {
  if (types && !types.includes(event.type)) return false;
  if (stream === undefined && museId === undefined) return true;
  if (EVENT_TYPES.get(event.type)?.privateType) return false;
  const isOfStream = stream === undefined || event.stream === stream;
  return isOfStream && (museId === undefined || musesIn(event, EVENT_TYPES).includes(museId));
}
