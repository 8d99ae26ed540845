import type { TObject } from 'typebox';
import type { Event, Fact } from './event.js';

/** Names of the sealed fields. */
export interface SealedFieldNames {
  readonly private: readonly string[];
  readonly personal: readonly string[];
  readonly held: readonly string[];
}

/** Schema and sealed fields of one version of an event type. */
export interface EventTypeVersion {
  readonly schema: TObject;
  readonly seals: SealedFieldNames;
}

/** Turns the opened data of one version into those of the next. Pure; never changes. */
type Upcast = (data: never) => object;

interface EventTypeDeclaration extends EventTypeVersion {
  readonly type: string;
  readonly version: number;
  /** Every version that was ever written: version 1 first, the current version last. */
  readonly versions: readonly EventTypeVersion[];
  /** The upcast from version 1 to 2 first. */
  readonly upcasts: readonly Upcast[];
  /** The public feed shows only its digest. */
  readonly privateType: boolean;
  /** The endpoint whose requests are as private as the events that they write. */
  readonly askedFor: string | null;
}

export interface EventType<T extends string = string, D = unknown, O = D> extends EventTypeDeclaration {
  /** Makes the fact that a decision returns. */
  (data: D): Fact<T, D>;
  readonly type: T;
  /** Carries the data type; never read. */
  readonly opened?: O;
}

/** Any event type, for lists of several. */
export interface AnyEventType extends EventTypeDeclaration {
  (data: never): Fact;
}

/** Event of a type, in clear. */
export type EventOf<E> = E extends EventType<infer T, infer _D, infer O> ? Event<T, O> : Event;
/** Fact of a type, as a decision returns it. */
export type FactOf<E> = E extends EventType<infer T, infer D, infer _O> ? Fact<T, D> : Fact;

/** The event types of a build, by name. */
export type EventTypeRegistry = ReadonlyMap<string, AnyEventType>;

/** Shape of an event as it was written; undefined for a type or version of a newer build. */
export function findWrittenVersion(
  { type, version }: { readonly type: string; readonly version: number },
  types: EventTypeRegistry,
): EventTypeVersion | undefined {
  return types.get(type)?.versions[version - 1];
}

/** Declaration of a type. Throws on a type that the build does not know. */
export function requireEventType(type: string, types: EventTypeRegistry): AnyEventType {
  const declared = types.get(type);
  if (!declared) throw new Error(`The event type ${type} is not known to this version.`);
  return declared;
}

/** Type of the event after which the key of its muse is destroyed. */
export const FORGOTTEN = 'Forgotten';

/** Muse that a `Forgotten` event names. */
export const getForgottenMuseId = ({ data }: { readonly data: unknown }): string =>
  (data as { muse_id: string }).muse_id;
