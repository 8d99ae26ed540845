import type { EventContext } from './decide.js';
import type { Event } from './event.js';

interface Following {
  /** What it is, among all that follows from the event: the request key is made of both. */
  readonly name: string;
  readonly decidedBy: string;
}

/**
 * What follows from an event in another stream: it has that one's actor, time and authorization, and rests on what that
 * one rested on and on the event itself. Whoever comes by makes the same.
 */
export function consequenceContext(event: Event, { name, decidedBy }: Following): EventContext {
  const { id, actor, at, authorization, stream, revision } = event;
  const basedOn = { ...event.based_on, [stream]: revision };
  return { actor, at, requestKey: `${id}/${name}`, cause: id, decidedBy, authorization, basedOn };
}
