import type { Entity } from '#libs/kernel/decide.js';
import { STREAMS } from '#libs/features/streams.generated.js';
import { storyEvents } from './event-samples.js';
import { LONG_STORY } from './long-story.js';

/** Members that name a thing. A state that replaces another one keeps them, so that it is about the same things. */
const NAMING =
  /^(muse_id|poster|worker|author|founder|co_founder|by|to|from|role|hire|post|project|crew|webhook|task|owner)$/;

const categoryOf = (stream: string) => stream.split('-', 1)[0]!;

/** State of a stream of each category after the first event of each type in the long story. */
function foldStates(): ReadonlyMap<string, ReadonlyMap<string, unknown>> {
  const current = new Map<string, unknown>();
  const states = new Map<string, Map<string, unknown>>();
  const entities = new Map(STREAMS.map(stream => [stream.category, stream as Entity<unknown>]));
  for (const event of storyEvents(LONG_STORY)) {
    const category = categoryOf(event.stream);
    const entity = entities.get(category)!;
    const state = entity.evolve(current.has(event.stream) ? current.get(event.stream) : entity.initial, event);
    current.set(event.stream, state);
    const ofCategory = states.get(category) ?? new Map<string, unknown>();
    if (!ofCategory.has(event.type)) ofCategory.set(event.type, state);
    states.set(category, ofCategory);
  }
  return states;
}

const STATES = foldStates();

export const stateNames = (stream: string): string[] => [...(STATES.get(categoryOf(stream))?.keys() ?? [])];

/** State of the stream as if `type` were its last event. */
export function stateAfter(stream: string, type: string, recorded: unknown): unknown {
  const state = STATES.get(categoryOf(stream))!.get(type) as { readonly [name: string]: unknown };
  const kept = Object.entries(recorded ?? {}).filter(([name]) => NAMING.test(name) && Object.hasOwn(state, name));
  return Object.assign(
    Object.create(Object.getPrototypeOf(state) as object) as object,
    state,
    Object.fromEntries(kept),
  );
}
