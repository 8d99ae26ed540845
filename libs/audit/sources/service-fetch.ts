import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { isJsonObject, type JsonObject, parseJson } from '#libs/kernel/json.js';
import { readText } from '#libs/platform/bounds/read-text.js';
import { printError } from '#libs/terminal/print.js';

const RETRIES_MAX = 10;
export const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
const RETRY_WAIT_MS_MAX = MINUTE_MS;
const TIMEOUT_MS = 15 * SECOND_MS;
const UNREPORTED_WAIT_MS_MAX = 2 * SECOND_MS;

/** Unix ms. Parallel requests wait for the same limit, so print one notice. */
let noticeUntil = 0;

export async function waitWithNotice(reason: string, waitMs: number): Promise<void> {
  const now = Date.now();
  if (waitMs > UNREPORTED_WAIT_MS_MAX && now >= noticeUntil) {
    noticeUntil = now + waitMs;
    printError(`${reason}. Retrying in ${Math.ceil(waitMs / SECOND_MS)} s.`);
  }
  await pause(waitMs);
}

export async function fetchWithRetries(url: string): Promise<Response> {
  for (let retries = 0; ; retries += 1) {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status !== 429 || retries >= RETRIES_MAX) return response;
    await response.body?.cancel();
    const retryAfterMs = Number(response.headers.get('retry-after')) * SECOND_MS || SECOND_MS;
    const waitMs = Math.min(Math.max(retryAfterMs, SECOND_MS), RETRY_WAIT_MS_MAX);
    await waitWithNotice(`${url} refused the request: too many requests`, waitMs);
  }
}

export async function readJsonBody(response: Response): Promise<JsonObject> {
  const value = parseJson(await readTextBody(response, ANSWER_BYTES_MAX));
  if (isJsonObject(value)) return value;
  throw new Error(`The answer (status ${response.status}) is not a JSON object.`);
}

export const readTextBody = ({ body }: Response, bytesMax: number): Promise<string> =>
  readText((body ?? []) as AsyncIterable<Uint8Array>, bytesMax, () => {
    return new Error(`The answer is longer than ${bytesMax} bytes.`);
  });
