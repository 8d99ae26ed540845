import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';

/** How often a service that limits its reads is asked again for one answer, and how long is waited at most. */
const RETRIES_MAX = 10;
const RETRY_WAIT_MS_MAX = MINUTE_MS;
const TIMEOUT_MS = 15 * SECOND_MS;

/** What an address answers. A limit of reads is waited for. */
export async function answerOf(url: string): Promise<Response> {
  for (let retries = 0; ; retries += 1) {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status !== 429 || retries >= RETRIES_MAX) return response;
    await response.body?.cancel();
    const askedMs = Number(response.headers.get('retry-after')) * SECOND_MS || SECOND_MS;
    await pause(Math.min(Math.max(askedMs, SECOND_MS), RETRY_WAIT_MS_MAX));
  }
}
