import type { EndpointLimit, Limit } from './limit.js';

const WINDOWS: ReadonlyMap<number, string> = new Map([
  [0, 'at the same time'],
  [60, 'a minute'],
  [3_600, 'an hour'],
  [86_400, 'a day'],
]);

/** Describes a limit: `60 an hour per muse`. */
export function limitText({ points, seconds, per }: Limit): string {
  const rate = `${points} ${WINDOWS.get(seconds) ?? `in ${seconds} seconds`}`;
  return per === 'service' ? `${rate} in all` : `${rate} per ${per}`;
}

export function limitsText(limits: readonly EndpointLimit[]): string {
  if (limits.length === 0) return '';
  return `Limits: ${limits.map(limit => `\`${limit.name}\` ${limitText(limit)}`).join(', ')}.`;
}
