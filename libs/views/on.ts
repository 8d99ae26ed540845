import type { EventOf } from '#libs/streams/define.js';
import type { Event } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';

type AnyType = { readonly type: string };

/** What one type of event does to one document. */
export interface Step<D> {
  readonly type: string;
  readonly keys: (event: Event) => readonly string[];
  readonly evolve: (document: D | undefined, event: Event, id: string) => D | null;
}

/** `on(Hired, event => [key], (document, event) => document)`: a step with the event's own type. */
export function on<D, E extends AnyType>(
  type: E,
  keys: (event: EventOf<E>) => readonly string[],
  evolve: (document: D | undefined, event: EventOf<E>, id: string) => D | null,
): Step<D> {
  return { type: type.type, keys: keys as Step<D>['keys'], evolve: evolve as Step<D>['evolve'] };
}

/** As `on`, for events that change documents which others have opened; without the document nothing happens. */
export function change<D, E extends AnyType>(
  type: E,
  keys: (event: EventOf<E>) => readonly string[],
  evolve: (document: D, event: EventOf<E>, id: string) => D,
): Step<D> {
  return on<D, E>(type, keys, (document, event, id) => (document ? evolve(document, event, id) : null));
}

interface Declaration<D> {
  readonly name: string;
  readonly version: number;
  readonly indexes?: { readonly [name: string]: readonly string[] };
  readonly steps: readonly Step<D>[];
}

/** A projection from its steps, one for each type of event at most. */
export function projection<D extends JsonObject>({
  name,
  version,
  indexes = {},
  steps,
}: Declaration<D>): Projection<D> {
  const byType = new Map(steps.map(step => [step.type, step]));
  if (byType.size !== steps.length) throw new Error(`${name} handles a type of event twice.`);
  return {
    name,
    version,
    indexes,
    types: [...byType.keys()],
    keys: event => byType.get(event.type)?.keys(event) ?? [],
    evolve: (document, event, id) => byType.get(event.type)?.evolve(document, event, id) ?? document ?? null,
  };
}
