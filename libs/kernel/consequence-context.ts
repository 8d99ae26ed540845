import type { EventContext } from './decide.js';
import type { Event } from './event.js';

interface FollowUp {
  readonly name: string;
  readonly decidedBy: string;
}

/**
 * Context of a follow-up event in another stream, derived from the event alone: every process that writes it writes the
 * same.
 */
export function consequenceContext(event: Event, { name, decidedBy }: FollowUp): EventContext {
  const { id, actor, at, authorization, stream, revision } = event;
  const basedOn = { ...event.based_on, [stream]: revision };
  return { actor, at, requestKey: `${id}/${name}`, cause: id, decidedBy, authorization, basedOn };
}
