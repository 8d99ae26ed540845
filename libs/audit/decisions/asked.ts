import type { Event, RequestFields } from '#libs/kernel/event.js';
import type { History } from '../history.js';
import { type Asked, Undecided } from './decision.js';
import { GivenIntegers } from './given.js';

const integers = new GivenIntegers();

/** What the decision behind an event is made on again, from the log up to the event. */
export function askedOf(event: Event, history: History): Asked {
  const { actor, at, cause, decided_by: decidedBy, authorization, based_on: basedOn } = event;
  return {
    event,
    context: { actor, at, cause, decidedBy, authorization, basedOn, integers, requestKey: cause },
    own: entity => history.latest(event.stream, entity),
    other: (stream, entity) => history.at(stream, basedOn[stream] ?? -1, entity),
    byNow: (stream, entity) => history.latest(stream, entity),
    fields: () => fieldsOf(event),
  };
}

function fieldsOf({ authorization }: Event): RequestFields {
  const fields = 'sealed' in authorization ? authorization.sealed?.fields : undefined;
  if (fields === undefined) throw new Undecided('What was asked for is not shown.');
  return fields;
}
