import { SECOND_MS } from '#libs/kernel/clock.js';

const PROBE_TIMEOUT_MS = 2 * SECOND_MS;

/** Whether a process of some service listens at an address. */
export async function isServiceListening(address: string, timeoutMs = PROBE_TIMEOUT_MS): Promise<boolean> {
  const response = await fetch(`${address}/api/health/live`, { signal: AbortSignal.timeout(timeoutMs) }).catch(
    () => null,
  );
  await response?.body?.cancel();
  return response !== null;
}

/** Which service takes requests at an address: the id of its first key, which no other has; null where none does. */
export async function identifyService(address: string): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const response = await fetch(`${address}/.well-known/service-issuer.json`, { signal });
    const { keys } = (await response.json()) as { readonly keys?: readonly { readonly kid: string }[] };
    return keys?.[0]?.kid ?? null;
  } catch {
    return null;
  }
}
