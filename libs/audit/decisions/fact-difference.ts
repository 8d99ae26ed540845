import { GIVEN_HASH, GIVEN_INTEGER } from '#libs/endpoints/decision.js';
import type { SealedFieldNames } from '#libs/kernel/event-type.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { jsonDifferences } from '../json-difference.js';
import type { PublicEvent } from '../public-event.js';
import { requireEventType } from '#libs/kernel/event-type.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

const isPlaceholder = (decided: Json | undefined, said: Json | undefined) =>
  (decided === GIVEN_INTEGER && Number.isInteger(said) && (said as number) > 0) ||
  (decided === GIVEN_HASH && typeof said === 'string');

/** Where an event differs from the fact that was decided again, as a sentence; null where it does not. */
export function describeDifference(fact: Fact | undefined, event: Event, shown: PublicEvent): string | null {
  if (!fact) return 'Decided again, nothing happens.';
  if (fact.type !== event.type || fact.version !== event.version)
    return `Decided again, it is ${fact.type} of version ${fact.version}.`;
  const [one, other] = [event.data as JsonObject, fact.data as JsonObject];
  const { seals } = requireEventType(event.type, EVENT_TYPES);
  const sealed = new Set<string>([...seals.personal, ...seals.private, ...seals.held]);
  const erased = erasedFields(shown, seals);
  // Of an event that was brought up to date, what is hidden is null: what was shown has the names of its own version.
  const isOlder = shown.version < event.version;
  const isHidden = (name: string) =>
    sealed.has(name) &&
    (isOlder ? one[name] === null : isSealedWithoutValue((shown.data as JsonObject)[name]) || erased.has(name));
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const isLike = (name: string) => one[name] === other[name] || isHidden(name) || isPlaceholder(other[name], one[name]);
  const compared = names.filter(name => !isLike(name));
  const [first] = compared.flatMap(name => jsonDifferences(one[name], other[name], name));
  if (!first) return null;
  // A report never shows a value that the log holds sealed.
  if (sealed.has(first.field.split('.')[0]!)) return `Decided again, its ${first.field} is another one.`;
  return `Decided again, its ${first.field} is ${formatValue(first.other)}, not ${formatValue(first.one)}.`;
}

/**
 * The fields that are stored as erased: the key was gone when they were stored, or an import left it behind. A key takes
 * with it all that it seals, so null beside a value that is there is what was said.
 */
function erasedFields(
  { data, authorization }: PublicEvent,
  { personal, private: hidden, held }: SealedFieldNames,
): Set<string> {
  const isGone = (name: string) => ((data as JsonObject)[name] ?? null) === null;
  const own = [...personal, ...hidden];
  const isRequestGone = ((authorization as JsonObject)['sealed'] ?? null) === null;
  return new Set([...(isRequestGone && own.every(isGone) ? own : []), ...(held.every(isGone) ? held : [])]);
}

/** A sealed value without the value itself: private, held, erased or taken back. */
function isSealedWithoutValue(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && 'sealed' in value && !('value' in value);
}

const formatValue = (value: Json | undefined) => (value === undefined ? 'left out' : JSON.stringify(value));
