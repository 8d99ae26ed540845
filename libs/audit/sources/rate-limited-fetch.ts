import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { printError } from '#libs/terminal/print.js';

/** How often a service that limits its reads is asked again for one answer, and how long is waited at most. */
const RETRIES_MAX = 10;
const RETRY_WAIT_MS_MAX = MINUTE_MS;
const TIMEOUT_MS = 15 * SECOND_MS;
/** A wait that is no longer is not told of. */
const SILENT_WAIT_MS_MAX = 2 * SECOND_MS;

/** Those who ask at the same time wait for the same limit, which is told once. Unix ms. */
let noticeUntil = 0;

/** Waits, and says for what and how long on standard error, so that nobody takes it for a standstill. */
export async function waitWithNotice(what: string, waitMs: number): Promise<void> {
  const now = Date.now();
  if (waitMs > SILENT_WAIT_MS_MAX && now >= noticeUntil) {
    noticeUntil = now + waitMs;
    printError(`${what}: it is asked again in ${Math.ceil(waitMs / SECOND_MS)} s.`);
  }
  await pause(waitMs);
}

/** What an address answers. A limit of reads is waited for. */
export async function fetchWithRetries(url: string): Promise<Response> {
  for (let retries = 0; ; retries += 1) {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status !== 429 || retries >= RETRIES_MAX) return response;
    await response.body?.cancel();
    const askedMs = Number(response.headers.get('retry-after')) * SECOND_MS || SECOND_MS;
    const waitMs = Math.min(Math.max(askedMs, SECOND_MS), RETRY_WAIT_MS_MAX);
    await waitWithNotice(`${url} answers that there were too many requests`, waitMs);
  }
}
