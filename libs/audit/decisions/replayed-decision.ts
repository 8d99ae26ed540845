import { parseStreamKey } from '#libs/domain/define.js';
import {
  ANY_TEXT,
  GIVEN_HASH,
  GIVEN_INTEGER,
  PLACEHOLDER_IDS,
  type ReplayedDecision,
} from '#libs/endpoints/decision.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { findDifferences } from '#libs/kernel/differences.js';
import { type SealedFieldNames, requireEventType } from '#libs/kernel/event-type.js';
import { type Event, type Fact, requestFieldsOf } from '#libs/kernel/event.js';
import { deriveAgentId, ID_ATTEMPTS_MAX, type Ids } from '#libs/kernel/ids.js';
import type { JsonObject, Json } from '#libs/kernel/json.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { Entity } from '#libs/kernel/decide.js';
import type { History } from '#libs/audit/history.js';
import type { PublicEvent } from '#libs/audit/public-event.js';

/** An event is written at most this long after its time, and reads the log after that time. */
const READ_BEFORE_MS = 2 * MINUTE_MS;

/** `onUnread` gets the streams that the decision reads, existed well before the event, and are not in `based_on`. */
export function replayedDecision(
  event: Event,
  history: History,
  onUnread: (stream: string) => void = () => undefined,
  isFirst = true,
): ReplayedDecision {
  const { actor, at, based_on: basedOn } = event;
  const readBefore = at - READ_BEFORE_MS;
  function expectRead(stream: string): void {
    const isNamed = stream === event.stream || basedOn[stream] !== undefined;
    if (!isNamed && history.existedAt(stream, readBefore)) onUnread(stream);
  }
  function read<S>(stream: string, entity: Entity<S>): S {
    expectRead(stream);
    return history.stateAt(stream, basedOn[stream] ?? -1, entity);
  }
  return {
    event,
    isFirst,
    context: { actor, at, ids: idsIn(event) },
    own: entity => history.latestState(event.stream, entity),
    other: read,
    read: ({ stream, entity }) => read(stream, entity),
    currentState: (stream, entity) => history.latestState(stream, entity),
    recentStates: stream => history.statesSince(stream, readBefore),
    pastStates: stream => history.allStates(stream),
    hiresOf: poster => history.hiresOf(poster),
    hiresBy: worker => history.hiresBy(worker),
    expectRead,
    fields: () => requestFieldsOf(event.authorization) ?? null,
  };
}

/** Ids are derived with a key of the vault, so the replay takes them from the event. */
function idsIn({ data, stream }: Event): Ids {
  const values = data as JsonObject;
  const integer = (name: string) => (Number.isSafeInteger(values[name]) ? (values[name] as number) : GIVEN_INTEGER);
  const key = parseStreamKey(stream);
  return {
    ...PLACEHOLDER_IDS,
    id: kind => integer(kind),
    slug: prefix => (new RegExp(`^${prefix}-[0-9]{12}$`).test(key) ? key : `${prefix}-?`),
    agent: publicKey => (publicKey === undefined ? key : agentOf(publicKey, key)),
  };
}

/** Accepts each id derived from the key, because the first may have been taken. */
function agentOf(publicKey: string, storedId: string): string {
  const ids = Array.from({ length: ID_ATTEMPTS_MAX }, (_, counter) => deriveAgentId(publicKey, counter));
  return ids.includes(storedId) ? storedId : ids[0]!;
}

const matchesPlaceholder = (decided: Json | undefined, stored: Json | undefined) =>
  (decided === GIVEN_INTEGER && Number.isInteger(stored) && (stored as number) > 0) ||
  (decided === GIVEN_HASH && typeof stored === 'string') ||
  (decided === ANY_TEXT && (typeof stored === 'string' || stored === null));

/** Returns null if the event equals the replayed fact. */
export function describeDifference(fact: Fact | undefined, event: Event, shown: PublicEvent): string | null {
  if (!fact) return 'The replayed decision does not write this event.';
  if (fact.type !== event.type || fact.version !== event.version)
    return `The replayed decision writes ${fact.type} of version ${fact.version} instead.`;
  const [stored, decided] = [event.data as JsonObject, fact.data as JsonObject];
  const other = Object.keys({ ...stored, ...decided }).filter(name => stored[name] !== decided[name]);
  if (other.length === 0) return null;
  const { seals } = requireEventType(event.type, EVENT_TYPES);
  const sealed = new Set<string>([...seals.personal, ...seals.private, ...seals.held]);
  const erased = erasedFields(shown, seals);
  // A converted event has other field names than the shown event, and null for hidden fields.
  const isOlder = shown.version < event.version;
  const isHidden = (name: string) =>
    sealed.has(name) &&
    (isOlder ? stored[name] === null : isSealedWithoutValue((shown.data as JsonObject)[name]) || erased.has(name));
  const compared = other.filter(name => !matchesPlaceholder(decided[name], stored[name]) && !isHidden(name));
  const [first] = compared.flatMap(name => findDifferences({ [name]: stored[name]! }, { [name]: decided[name]! }));
  if (!first) return null;
  // Never report a sealed value.
  if (sealed.has(first.field.split('.')[0]!)) return `Its ${first.field} differs from the replayed decision.`;
  return `Its ${first.field} is ${formatValue(first.one)}; the replayed decision says ${formatValue(first.other)}.`;
}

/**
 * A destroyed key, or an import, hides all fields of its group together. A null next to a visible field of the group is
 * therefore the stored value.
 */
function erasedFields(
  { data, authorization }: PublicEvent,
  { personal, private: hidden, held }: SealedFieldNames,
): Set<string> {
  const isGone = (name: string) => ((data as JsonObject)[name] ?? null) === null;
  const requestFields = [...personal, ...hidden];
  const isRequestGone = ((authorization as JsonObject)['sealed'] ?? null) === null;
  return new Set([
    ...(isRequestGone && requestFields.every(isGone) ? requestFields : []),
    ...(held.every(isGone) ? held : []),
  ]);
}

function isSealedWithoutValue(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && 'sealed' in value && !('value' in value);
}

const formatValue = (value: Json | undefined) => (value === undefined ? 'missing' : JSON.stringify(value));
