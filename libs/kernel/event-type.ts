import type { TObject } from 'typebox';
import type { Event, Fact } from './event.js';

export interface SealedFieldNames {
  readonly private: readonly string[];
  readonly personal: readonly string[];
  readonly held: readonly string[];
}

export interface EventTypeVersion {
  readonly schema: TObject;
  readonly seals: SealedFieldNames;
}

/** Converts opened data of one version into the next. Pure; never changes. */
type Upcast = (data: never) => object;

interface EventTypeDeclaration extends EventTypeVersion {
  readonly type: string;
  readonly version: number;
  readonly versions: readonly EventTypeVersion[];
  readonly upcasts: readonly Upcast[];
  /** A sentence for readers of the log. */
  readonly meaning: string;
  /** Meanings of the members of its data that have one. */
  readonly meanings: { readonly [member: string]: string };
  /** The public feed only shows its digest. */
  readonly privateType: boolean;
  /** Written later than its `at`, which is that of the first attempt. */
  readonly isDelayed: boolean;
  /** Endpoint whose requests are as private as their events. */
  readonly askedFor: string | null;
}

export interface EventType<T extends string = string, D = unknown, O = D> extends EventTypeDeclaration {
  (data: D): Fact<T, D>;
  readonly type: T;
  /** Carries the data type; never read. */
  readonly opened?: O;
}

export interface AnyEventType extends EventTypeDeclaration {
  (data: never): Fact;
}

export type EventOf<E> = E extends EventType<infer T, infer _D, infer O> ? Event<T, O> : Event;
export type FactOf<E> = E extends EventType<infer T, infer D, infer _O> ? Fact<T, D> : Fact;

export type EventTypeRegistry = ReadonlyMap<string, AnyEventType>;

export function findWrittenVersion(
  { type, version }: { readonly type: string; readonly version: number },
  types: EventTypeRegistry,
): EventTypeVersion | undefined {
  return types.get(type)?.versions[version - 1];
}

export function requireEventType(type: string, types: EventTypeRegistry): AnyEventType {
  const declared = types.get(type);
  if (!declared) throw new Error(`The event type ${type} is not known to this version.`);
  return declared;
}

/** Event after which the key of its muse is destroyed. */
export const FORGOTTEN = 'Forgotten';

export const getForgottenMuseId = ({ data }: { readonly data: unknown }): string =>
  (data as { muse_id: string }).muse_id;
