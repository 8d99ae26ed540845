import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { RequestFields } from '#libs/kernel/event.js';

type LimitSubject = 'muse' | 'address' | 'service';

/** Value of `seconds` that limits concurrent requests. */
export const CONCURRENT = 0;

export interface Limit {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
  readonly per: LimitSubject;
}

interface LimitFilter {
  readonly when?: (fields: RequestFields) => boolean;
  /** Event type to count. The decision shows it before it is written. */
  readonly of?: { readonly type: string };
}

export interface LimitDeclaration extends LimitFilter {
  readonly points: number;
  readonly seconds: number;
  readonly suffix?: string;
}

export interface EndpointLimit extends Limit, LimitFilter {}

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

/** Names the limits of an endpoint, for example `post`, `post_hour` or `post_<suffix>`. Shortest window first. */
export function endpointLimits(
  endpoint: string,
  declared: readonly (LimitDeclaration | Limit)[] = [],
): EndpointLimit[] {
  const unnamed = declared.filter(each => !('name' in each) && each.suffix === undefined);
  const name = ({ suffix, seconds }: LimitDeclaration) => {
    const word = suffix ?? (unnamed.length > 1 ? WINDOW_NAMES.get(seconds) : undefined);
    return word === undefined ? endpoint : `${endpoint}_${word}`;
  };
  const limits = declared.map(each => {
    if ('name' in each) return each;
    const { suffix: _suffix, ...rest } = each;
    return { ...rest, name: name(each), per: 'muse' as const };
  });
  return limits.sort((a, b) => a.seconds - b.seconds);
}

const WINDOWS: ReadonlyMap<number, string> = new Map([
  [0, 'at the same time'],
  [60, 'a minute'],
  [3_600, 'an hour'],
  [86_400, 'a day'],
]);

/** Describes a limit: `60 an hour per agent`. */
export function limitText({ points, seconds, per }: Limit): string {
  const rate = `${points} ${WINDOWS.get(seconds) ?? `in ${seconds} seconds`}`;
  return per === 'service' ? `${rate} in all` : `${rate} per ${per === 'muse' ? 'agent' : per}`;
}

export function limitsText(limits: readonly EndpointLimit[]): string {
  if (limits.length === 0) return '';
  return `Limits: ${limits.map(limit => `\`${limit.name}\` ${limitText(limit)}`).join(', ')}.`;
}
