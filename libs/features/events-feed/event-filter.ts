import { parameter, type ReadParameters } from '#libs/http/paging.js';
import { EVENT_TYPES } from '#libs/streams/streams.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { fieldRule } from '#libs/kernel/refusal.js';

/** How many streams, types and muses one question names. */
const TYPES_MAX = 100;

/** Which events of the log a reader asks for; all of them where it names nothing. */
export interface EventFilter {
  readonly types: readonly string[] | undefined;
  readonly stream: string | undefined;
  /** What this muse did, and what names it. */
  readonly museId: string | undefined;
}

export function filterOf(query: ReadParameters): EventFilter {
  const types = parameter(query, 'types')
    ?.split(',')
    .map(type => type.trim())
    .filter(type => type !== '');
  const known = types === undefined || (types.length <= TYPES_MAX && types.every(type => EVENT_TYPES.has(type)));
  fieldRule(known, 'types', 'types must be comma separated names of event types; see /api/events/schema.');
  return {
    types: types?.length ? types : undefined,
    stream: parameter(query, 'stream'),
    museId: parameter(query, 'muse_id'),
  };
}

/** Whether an event passes what the log itself does not filter by. Private types are found by neither. */
export function passes(event: StoredEvent, { stream, museId }: EventFilter): boolean {
  if (stream === undefined && museId === undefined) return true;
  if (EVENT_TYPES.get(event.type)?.privateType) return false;
  return (stream === undefined || event.stream === stream) && (museId === undefined || names(event, museId));
}

function names({ actor, data }: StoredEvent, museId: string): boolean {
  return actor === museId || Object.values(data as JsonObject).includes(museId);
}
