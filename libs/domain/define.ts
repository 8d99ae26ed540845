import { Type, type Static, type TObject, type TSchema } from 'typebox';
import type { Entity, StreamSource } from '#libs/kernel/decide.js';
import type { Event } from '#libs/kernel/event.js';
import type { AnyEventType, EventOf, EventType, EventTypeVersion } from '#libs/kernel/event-type.js';

export type { AnyEventType, EventOf, EventType, FactOf } from '#libs/kernel/event-type.js';

/**
 * Who may ever read a field of an event, and whether the log holds it sealed. `clear` stands in the log as it is;
 * `personal` values are public until their muse erases them; `private` ones only their parties ever read; `held` ones
 * are never shown and outlive an erasure.
 */
export type Exposure = 'clear' | 'personal' | 'private' | 'held';

/** A field of an event's data. There is no way to declare one that does not say what it is. */
export interface EventField<T extends TSchema = TSchema, X extends Exposure = Exposure> {
  readonly schema: T;
  readonly exposure: X;
}

export interface EventFields {
  readonly [name: string]: EventField;
}

type SchemasOf<P extends EventFields> = { [K in keyof P]: P[K]['schema'] };
type EventData<P extends EventFields> = Static<TObject<SchemasOf<P>>>;
type SealedNames<P extends EventFields> = { [K in keyof P]: P[K]['exposure'] extends 'clear' ? never : K }[keyof P];

/** Data as it is read: whatever is sealed may have been erased. */
export type ErasableData<D, K> = { [F in keyof D]: F extends K ? D[F] | null : D[F] };

/** A version that is written no longer. Its fields stay what they were, for what was written stays too. */
export interface EarlierVersion<N = object> extends EventTypeVersion {
  readonly upcast: (data: never) => N;
}

/**
 * A version of before, and how its data become those of the version behind it. What was sealed may be null, for it
 * was erased.
 */
export function defineEarlierVersion<P extends EventFields, N extends object>(
  fields: P,
  upcast: (data: ErasableDataOf<P>) => N,
): EarlierVersion<N> {
  return { ...buildVersion(fields), upcast };
}

type ErasableDataOf<P extends EventFields> = ErasableData<EventData<P>, SealedNames<P>>;

interface EventOptions<O> {
  /** The versions of before, the oldest first: the newest is the one behind them. */
  readonly earlier?: readonly [...EarlierVersion[], EarlierVersion<O>];
  readonly privateType?: boolean;
  readonly askedFor?: string;
}

/** Declares an event type: its name and its fields, each of which says what it is. */
export function defineEvent<T extends string, P extends EventFields>(
  type: T,
  fields: P,
  { earlier = [] as never, privateType = false, askedFor }: EventOptions<ErasableDataOf<P>> = {},
): EventType<T, EventData<P>, ErasableDataOf<P>> {
  const version = earlier.length + 1;
  const make = (data: EventData<P>) => ({ type, version, data });
  const newest = buildVersion(fields);
  const versions = [...earlier, newest];
  const upcasts = earlier.map(({ upcast }: EarlierVersion) => upcast);
  return Object.assign(make, { type, version, privateType, askedFor: askedFor ?? null, ...newest, versions, upcasts });
}

function buildVersion(fields: EventFields): EventTypeVersion {
  const entries = Object.entries(fields);
  const schemas = Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]));
  const exposed = (as: Exposure) => entries.filter(([, { exposure }]) => exposure === as).map(([name]) => name);
  return {
    schema: Type.Object(schemas, { additionalProperties: false }),
    seals: { private: exposed('private'), personal: exposed('personal'), held: exposed('held') },
  };
}

/** Whether an event is of a type, for the type checker too. */
export function isEventOf<E extends { readonly type: string }>(type: E, event: Event): event is EventOf<E> & Event {
  return event.type === type.type;
}

/** A kind of stream: what may happen in it, what follows from that, and how its streams are called. */
export interface StreamType<S = unknown, K extends unknown[] = never[]> extends Entity<S> {
  /** The first word of the names of its streams. */
  readonly category: string;
  readonly events: readonly AnyEventType[];
  /** The name of one stream. */
  streamName(...key: K): string;
  /** One stream, to be read or written. */
  source(...key: K): StreamSource<S>;
}

interface StreamDeclaration<S, E extends readonly AnyEventType[], K extends unknown[]> {
  readonly events: E;
  /** What follows the category and a hyphen in a stream's name; without it there is one stream, named as its category. */
  readonly key?: (...key: K) => string;
  readonly initial: S;
  /** Pure; never throws, never checks a rule. */
  readonly evolve: (state: S, event: EventOf<E[number]>) => S;
}

/** Declares a kind of stream. */
export function defineStream<S, const E extends readonly AnyEventType[], K extends unknown[] = []>(
  category: string,
  { events, key, initial, evolve }: StreamDeclaration<S, E, K>,
): StreamType<S, K> {
  const named = (...parts: K) => (key ? `${category}-${key(...parts)}` : category);
  const entity: Entity<S> = { initial, evolve: evolve };
  return {
    ...entity,
    category,
    events,
    streamName: named,
    source: (...parts: K) => ({ stream: named(...parts), entity }),
  };
}

/** The last part of a stream's name: the slug, the muse, the hire's number. */
export function parseStreamKey(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}
