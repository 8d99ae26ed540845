import { Type, type Static, type TObject, type TSchema } from 'typebox';
import type { Entity, StreamSource } from '#libs/kernel/decide.js';
import type { Event } from '#libs/kernel/event.js';
import { describeKind } from '#libs/values/values.js';
import type { AnyEventType, EventOf, EventType, EventTypeVersion } from '#libs/kernel/event-type.js';

export type { AnyEventType, EventOf, EventType, FactOf } from '#libs/kernel/event-type.js';

/**
 * Readers of an event field. `clear`: everyone. `personal`: everyone, until the muse erases it. `private`: its parties.
 * `held`: only the service, also after an erasure. All but `clear` are stored encrypted.
 */
export type Exposure = 'clear' | 'personal' | 'private' | 'held';

export interface EventField<T extends TSchema = TSchema, X extends Exposure = Exposure> {
  readonly schema: T;
  readonly exposure: X;
  readonly meaning?: string | undefined;
}

interface EventFields {
  readonly [name: string]: EventField;
}

type SchemasOf<P extends EventFields> = { [K in keyof P]: P[K]['schema'] };
type EventData<P extends EventFields> = Static<TObject<SchemasOf<P>>>;
type SealedNames<P extends EventFields> = { [K in keyof P]: P[K]['exposure'] extends 'clear' ? never : K }[keyof P];

type ErasableData<D, K> = { [F in keyof D]: F extends K ? D[F] | null : D[F] };

/** A version that is no longer written. Its fields never change. */
export interface EarlierVersion<N = object> extends EventTypeVersion {
  readonly upcast: (data: never) => N;
}

/** `upcast` converts its data to the next version. Sealed fields may be null. */
export function defineEarlierVersion<P extends EventFields, N extends object>(
  fields: P,
  upcast: (data: ErasableDataOf<P>) => N,
): EarlierVersion<N> {
  return { ...buildVersion(fields), upcast };
}

type ErasableDataOf<P extends EventFields> = ErasableData<EventData<P>, SealedNames<P>>;

interface EventOptions<O> {
  readonly earlier?: readonly [...EarlierVersion[], EarlierVersion<O>];
  readonly privateType?: boolean;
  readonly isDelayed?: boolean;
  readonly askedFor?: string;
}

export function defineEvent<T extends string, P extends EventFields>(
  type: T,
  meaning: string,
  fields: P,
  { earlier = [] as never, privateType = false, isDelayed = false, askedFor }: EventOptions<ErasableDataOf<P>> = {},
): EventType<T, EventData<P>, ErasableDataOf<P>> {
  const version = earlier.length + 1;
  const make = (data: EventData<P>) => ({ type, version, data });
  const newest = buildVersion(fields);
  const versions = [...earlier, newest];
  const upcasts = earlier.map(({ upcast }: EarlierVersion) => upcast);
  return Object.assign(make, {
    type,
    meaning,
    meanings: meaningsOf(fields),
    version,
    privateType,
    isDelayed,
    askedFor: askedFor ?? null,
    ...newest,
    versions,
    upcasts,
  });
}

/** The meaning of a member is that of its field, or of its kind of value. */
const meaningsOf = (fields: EventFields): { readonly [member: string]: string } =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { meaning, schema }]) => {
      const text = meaning ?? describeKind(schema).description;
      return text === undefined ? [] : [[name, text]];
    }),
  );

function buildVersion(fields: EventFields): EventTypeVersion {
  const entries = Object.entries(fields);
  const schemas = Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]));
  const exposed = (as: Exposure) => entries.filter(([, { exposure }]) => exposure === as).map(([name]) => name);
  return {
    schema: Type.Object(schemas, { additionalProperties: false }),
    seals: { private: exposed('private'), personal: exposed('personal'), held: exposed('held') },
  };
}

export function isEventOf<E extends { readonly type: string }>(type: E, event: Event): event is EventOf<E> & Event {
  return event.type === type.type;
}

export interface StreamType<S = unknown, K extends unknown[] = never[]> extends Entity<S> {
  readonly category: string;
  readonly events: readonly AnyEventType[];
  streamName(...key: K): string;
  source(...key: K): StreamSource<S>;
}

interface StreamDeclaration<S, E extends readonly AnyEventType[], K extends unknown[]> {
  readonly events: E;
  /** Part of the stream name after the category and a hyphen. Without it, there is a single stream. */
  readonly key?: (...key: K) => string;
  readonly initial: S;
  /** Pure; never throws, never checks a rule. Gets the events of its own types only: a foreign log may hold others. */
  readonly evolve: (state: S, event: EventOf<E[number]>) => S;
}

/** Widens an initial state to the type of all states, which a stream infers from it. */
export const initially = <S>(state: S): S => state;

export function defineStream<S, const E extends readonly AnyEventType[], K extends unknown[] = []>(
  category: string,
  { events, key, initial, evolve }: StreamDeclaration<S, E, K>,
): StreamType<S, K> {
  const streamName = (...parts: K) => (key ? `${category}-${key(...parts)}` : category);
  const types = new Set(events.map(({ type }) => type));
  const entity: Entity<S> = {
    initial,
    evolve: (state, event) => (types.has(event.type) ? evolve(state, event as EventOf<E[number]>) : state),
  };
  return {
    ...entity,
    category,
    events,
    streamName,
    source: (...parts: K) => ({ stream: streamName(...parts), entity }),
  };
}

export function parseStreamKey(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}
