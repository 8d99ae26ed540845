import type { StreamSource } from '#libs/kernel/decide.js';
import type { Event, Fact } from '#libs/kernel/event.js';

export type NamedType = { readonly type: string };

/** The current state of a stream. */
export type ReadState = <S>(source: StreamSource<S>) => S;

/** Pending work of a decision on one thing. */
export interface FollowUp {
  readonly stream: string;
  readonly remaining: (read: ReadState) => readonly Fact[];
}

/** Things that a decision ends with their muse. */
interface EndsWithMuse<A> {
  readonly types: readonly NamedType[];
  readonly museOf: (about: A) => string;
  /** Muses whose things such an event ends; by default the one that it names. */
  readonly musesOf?: (event: Event, read: ReadState) => readonly string[];
}

/** Events after which a decision must be made, and what it is then about. */
export interface Follows<A> {
  readonly after: readonly NamedType[];
  readonly about: (event: Event) => readonly A[];
  /** For a decision by the clock: when it has to be made, unix ms. Null if no time leads to it. */
  readonly dueAt?: (about: A, read: ReadState) => number | null;
  readonly endsWith?: EndsWithMuse<A>;
}

/** Methods, so that a table can hold those of all decisions. */
export interface DeclaredFollowUps {
  readonly after: readonly string[];
  about(event: Event): readonly unknown[];
  followUp(about: unknown, event: Pick<Event, 'at'>): FollowUp;
  dueAt?(about: unknown, read: ReadState): number | null;
  readonly endsWith?: {
    readonly types: readonly string[];
    museOf(about: unknown): string;
    musesOf(event: Event, read: ReadState): readonly string[];
  };
}

/** Causes of a decision: forms of a text, or events, which tell auditors what must follow. */
export type Causes<A> =
  | { readonly causes: readonly string[]; readonly follows?: undefined }
  | { readonly causes?: readonly (NamedType | string)[]; readonly follows: Follows<A> };

/** For a decision that a request or the chain makes necessary. */
export const NEVER_OWED = { after: [], about: () => [] };

/** For decisions that repeat a single event. */
export function followsFrom<E extends Event>(type: NamedType, find: (event: E) => FollowUp | null): Follows<FollowUp> {
  return {
    after: [type],
    about: event => {
      const followUp = find(event as E);
      return followUp ? [followUp] : [];
    },
  };
}

export const followUp = <S>(
  source: StreamSource<S>,
  decide: (state: S, read: ReadState) => readonly Fact[],
): FollowUp => ({ stream: source.stream, remaining: read => decide(read(source), read) });

const typesOf = (types: readonly NamedType[]) => types.map(({ type }) => type);

export function declareFollowUps<A>(
  { after, about, dueAt, endsWith }: Follows<A>,
  followUpOf: (about: A, event: Pick<Event, 'at'>) => FollowUp,
): DeclaredFollowUps {
  return {
    after: typesOf(after),
    about,
    followUp: (each, event) => followUpOf(each as A, event),
    ...(dueAt && { dueAt: (each, read) => dueAt(each as A, read) }),
    ...(endsWith && {
      endsWith: {
        types: typesOf(endsWith.types),
        museOf: each => endsWith.museOf(each as A),
        musesOf: endsWith.musesOf ?? (event => [(event.data as { readonly muse_id: string }).muse_id]),
      },
    }),
  };
}

export function listCauses<A>({ causes, follows }: Causes<A>): readonly string[] {
  const named = causes ?? [...(follows?.endsWith?.types ?? []), ...(follows?.after ?? [])];
  return named.map(cause => (typeof cause === 'string' ? cause : cause.type));
}
