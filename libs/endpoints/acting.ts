import type { Context } from '#libs/kernel/decide.js';
import { eventId } from '#libs/kernel/ids.js';
import { DerivedIds, type Ids } from './ids.js';

/** Who acts, and what the request makes. */
export interface Acting {
  readonly actor: string;
  readonly ids: Ids;
}

/** What a decision is told besides states and fields: it has no clock and no chance of its own. */
export interface Deciding extends Acting {
  /** Unix ms. */
  readonly at: number;
}

/** A request as it came over HTTP, for who looks at its header fields. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
}

/** What may be found out before a decision is made. */
export interface Asking extends Deciding {
  /** What makes a repetition recognisable: everything that the request makes is derived from it. */
  readonly context: Context;
  /** How often an id that was derived from the request was taken already. */
  readonly counter: number;
  /** Of a verb that declares `headers`. */
  readonly received?: Received;
  /** The id that the request's first event of a type will have in a stream: what finishes a claim. */
  eventId(stream: string, type: string): string;
}

/** A request as its decision sees it. */
export function askingOf(context: Context, counter: number, received?: Received): Asking {
  return {
    context,
    counter,
    ...(received && { received }),
    actor: context.actor,
    at: context.at,
    ids: new DerivedIds(context.integers, context.requestKey, counter),
    eventId: (stream, type) => eventId(context.requestKey, stream, type, 0),
  };
}
