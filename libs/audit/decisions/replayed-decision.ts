import type { Event, RequestFields } from '#libs/kernel/event.js';
import { deriveAgentId, ID_ATTEMPTS_MAX, type Ids } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { parseStreamKey } from '#libs/domain/define.js';
import { GIVEN_HASH, GIVEN_INTEGER, type ReplayedDecision, NotReplayable } from '#libs/endpoints/decision.js';
import type { History } from '../history.js';

export function replayedDecision(event: Event, history: History): ReplayedDecision {
  const { actor, at, based_on: basedOn } = event;
  return {
    event,
    context: { actor, at, ids: idsIn(event) },
    own: entity => history.latestState(event.stream, entity),
    other: (stream, entity) => history.stateAt(stream, basedOn[stream] ?? -1, entity),
    read: ({ stream, entity }) => history.stateAt(stream, basedOn[stream] ?? -1, entity),
    currentState: (stream, entity) => history.latestState(stream, entity),
    fields: () => fieldsOf(event),
  };
}

/** Ids are derived with a key of the vault, so the replay takes them from the event. */
function idsIn({ data, stream }: Event): Ids {
  const values = data as JsonObject;
  const integer = (name: string) => (Number.isSafeInteger(values[name]) ? (values[name] as number) : GIVEN_INTEGER);
  const key = parseStreamKey(stream);
  return {
    id: kind => integer(kind),
    item: () => GIVEN_INTEGER,
    slug: prefix => (new RegExp(`^${prefix}-[0-9]{12}$`).test(key) ? key : `${prefix}-?`),
    agent: publicKey => (publicKey === undefined ? key : agentOf(publicKey, key)),
    salted: () => ({ commitment: GIVEN_HASH, salt: GIVEN_HASH }),
  };
}

/** Accepts each id derived from the key, because the first may have been taken. */
function agentOf(publicKey: string, storedId: string): string {
  const ids = Array.from({ length: ID_ATTEMPTS_MAX }, (_, counter) => deriveAgentId(publicKey, counter));
  return ids.includes(storedId) ? storedId : ids[0]!;
}

function fieldsOf({ authorization }: Event): RequestFields {
  const fields = 'sealed' in authorization ? authorization.sealed?.fields : undefined;
  if (fields === undefined) throw new NotReplayable('The fields of the request are not shown.');
  return fields;
}
