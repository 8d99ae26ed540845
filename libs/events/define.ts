import { Type, type Static, type TObject, type TProperties } from 'typebox';
import type { Event, Fact } from '#libs/kernel/event.js';

/**
 * Which fields of an event's data the log holds sealed (interface section 12): `private` ones only their parties ever
 * read, `personal` ones are public until their muse erases them, `held` ones are never shown and outlive an erasure.
 */
export interface Seals<K extends string = string> {
  readonly private?: readonly K[];
  readonly personal?: readonly K[];
  readonly held?: readonly K[];
}

type SealedKeys<S extends Seals> =
  | (S['private'] extends readonly (infer K)[] ? K : never)
  | (S['personal'] extends readonly (infer K)[] ? K : never)
  | (S['held'] extends readonly (infer K)[] ? K : never);

/** Data as it is read: whatever is sealed may have been erased. */
export type Opened<D, K> = { [F in keyof D]: F extends K ? D[F] | null : D[F] };

export interface EventType<T extends string = string, D = unknown, O = D> {
  /** Makes the fact that a decision answers. */
  (data: D): Fact<T, D>;
  readonly type: T;
  readonly version: number;
  readonly schema: TObject;
  readonly seals: Required<Seals>;
  /** The public feed shows nothing of it but its digest. */
  readonly privateType: boolean;
  /** Carries the data type; never read. */
  readonly opened?: O;
}

/** The event of a type as everything above the codec sees it. */
export type EventOf<E> = E extends EventType<infer T, infer _D, infer O> ? Event<T, O> : never;

interface Options<P extends TProperties, S extends Seals> {
  readonly version?: number;
  readonly data: P;
  readonly seals?: S;
  readonly privateType?: boolean;
}

/** Declares an event type: its name, version, JSON Schema and what of it is sealed. */
export function event<T extends string, P extends TProperties, const S extends Seals<keyof P & string> = Seals<never>>(
  type: T,
  options: Options<P, S>,
): EventType<T, Static<TObject<P>>, Opened<Static<TObject<P>>, SealedKeys<S>>> {
  const version = options.version ?? 1;
  const make = (data: Static<TObject<P>>) => ({ type, version, data });
  return Object.assign(make, {
    type,
    version,
    schema: Type.Object(options.data, { additionalProperties: false }),
    seals: { private: [], personal: [], held: [], ...options.seals },
    privateType: options.privateType ?? false,
  });
}

/** Whether an event is of a type, for the type checker too. */
export function is<E extends { readonly type: string }>(type: E, event: Event): event is EventOf<E> & Event {
  return event.type === type.type;
}
