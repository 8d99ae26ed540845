import type { RequestFields } from '#libs/kernel/event.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';

/** Who is counted: an identity, the network address that requests come from, or all of them together. */
export type LimitSubject = 'muse' | 'address' | 'service';

/** The seconds of a limit on how many there are at the same time. */
export const CONCURRENT = 0;

/** How many points may be used up from the first one on, until so many seconds later; with `AT_ONCE` at the same time. */
export interface Limit {
  /** Stable: settings, headers and refusals name it. */
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
  readonly per: LimitSubject;
}

/** Which requests of an endpoint a limit counts; without any of it, all of them. */
interface LimitFilter {
  /** Whether it counts a request, by its fields as they were sent. */
  readonly when?: (fields: RequestFields) => boolean;
  /** It counts this type of event, before it is written: what that will be is known from the state alone. */
  readonly of?: { readonly type: string };
}

/** A limit as an endpoint declares it. */
export interface LimitDeclaration extends LimitFilter {
  readonly points: number;
  readonly seconds: number;
  /** What tells it from the other limits of the endpoint. */
  readonly suffix?: string;
}

/** A limit of an endpoint, with its name. */
export interface EndpointLimit extends Limit, LimitFilter {}

/** So many requests of an endpoint that one muse may have carried out within a window. */
export function limitPerMuse(
  points: number,
  windowMs: number,
  scope: Omit<LimitDeclaration, 'points' | 'seconds'> = {},
): LimitDeclaration {
  return { points, seconds: windowMs / SECOND_MS, ...scope };
}

const WINDOW_NAMES: ReadonlyMap<number, string> = new Map([
  [MINUTE_MS / SECOND_MS, 'minute'],
  [HOUR_MS / SECOND_MS, 'hour'],
  [DAY_MS / SECOND_MS, 'day'],
]);

/**
 * The limits of an endpoint with their names: its own word behind the endpoint's name, or else its window where there
 * are several without one; a single one is named like the endpoint. The shortest window comes first.
 */
export function endpointLimits(
  endpoint: string,
  declared: readonly (LimitDeclaration | Limit)[] = [],
): EndpointLimit[] {
  const bare = declared.filter(each => !('name' in each) && each.suffix === undefined);
  const name = ({ suffix: named, seconds }: LimitDeclaration) => {
    const word = named ?? (bare.length > 1 ? WINDOW_NAMES.get(seconds) : undefined);
    return word === undefined ? endpoint : `${endpoint}_${word}`;
  };
  const limits = declared.map(each => {
    if ('name' in each) return each;
    const { suffix: _named, ...rest } = each;
    return { ...rest, name: name(each), per: 'muse' as const };
  });
  return limits.sort((a, b) => a.seconds - b.seconds);
}
