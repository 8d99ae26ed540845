import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS, systemClock } from '#libs/kernel/clock.js';
import type { Json } from '#libs/kernel/json.js';
import { type ErasedValue, shownNames } from './checks/erased-values.js';
import type { Findings } from './findings.js';
import { isPrivateEvent, isPublicEvent } from './public-event.js';
import type { RequestRules } from './request-rules.js';
import { fetchWithRetries, readJsonBody } from './sources/service-fetch.js';

interface Wait {
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

const WAIT: Wait = { now: () => systemClock.now(), pause };

/** Reports values that are shown after their erasure. A service is asked once more, a minute after the erasure. */
export async function reportErasedValues(
  values: Iterable<ErasedValue>,
  address: string | null,
  findings: Findings,
  requests: RequestRules | null,
  { now, pause }: Wait = WAIT,
): Promise<void> {
  for (const value of values) {
    const { event, erasedAt, name } = value;
    if (address !== null) {
      await pause(Math.min(MINUTE_MS, Math.max(0, erasedAt + MINUTE_MS - now())));
      if (!(await isShownAgain(address, value, requests))) continue;
    }
    findings.add('shown', `It shows its ${name}, which was erased before.`, event);
  }
}

async function isShownAgain(
  address: string,
  { event, after, name }: ErasedValue,
  requests: RequestRules | null,
): Promise<boolean> {
  const query = new URLSearchParams({ limit: '1', ...(after !== '' && { after }) });
  const { events } = await readJsonBody(await fetchWithRetries(`${address}/api/events?${query.toString()}`));
  const [shown] = (events ?? []) as readonly Json[];
  if (!isPublicEvent(shown) || shown.id !== event.id || isPrivateEvent(shown)) return false;
  return shownNames(shown, requests).includes(name);
}
