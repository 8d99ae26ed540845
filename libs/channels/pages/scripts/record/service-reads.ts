import type { PublicEvent } from '#libs/audit/public-event.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { type IssuerKey, type NamedEvent } from './context.js';

const TIMEOUT_MS = 20_000;
/** Limits for one record. */
const STREAMS_MAX = 20;
const EVENTS_OF_STREAM_MAX = 1_000;

/** Throws a sentence for any status but 200. */
export async function fetchAnswer(path: string): Promise<Response> {
  const response = await fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS), cache: 'no-store' });
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  return response;
}

export async function fetchIssuerKeys(): Promise<readonly IssuerKey[]> {
  const { keys } = (await (await fetchAnswer('/.well-known/service-issuer.json')).json()) as { keys?: IssuerKey[] };
  if (!Array.isArray(keys)) throw new Error('The issuer document names no keys.');
  return keys;
}

export async function fetchStreamEvents(
  stream: string,
  types: readonly string[] = [],
): Promise<readonly PublicEvent[]> {
  const query = new URLSearchParams({ stream, limit: String(EVENTS_OF_STREAM_MAX) });
  if (types.length > 0) query.set('types', types.join(','));
  const { events } = (await (await fetchAnswer(`/api/events?${query}`)).json()) as { events?: PublicEvent[] };
  if (!Array.isArray(events)) throw new Error('The event feed has no events.');
  return events;
}

export async function fetchNamedEvents(named: readonly NamedEvent[]): Promise<readonly PublicEvent[]> {
  const streams = [...new Set(named.map(({ stream }) => stream))];
  if (streams.length > STREAMS_MAX) throw new Error(`The record names more than ${STREAMS_MAX} streams.`);
  return (await Promise.all(streams.map(stream => fetchStreamEvents(stream)))).flat();
}

/** Public value of a member; undefined if it is sealed. */
export function visibleValue(event: PublicEvent, name: string): Json | undefined {
  const value = (event.data as JsonObject)[name];
  const isSealed = typeof value === 'object' && value !== null && 'sealed' in value;
  return isSealed ? value['value'] : value;
}
