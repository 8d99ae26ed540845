import { SECOND_MS } from '#libs/kernel/clock.js';

const PROBE_TIMEOUT_MS = 2 * SECOND_MS;

export async function isServiceListening(address: string, timeoutMs = PROBE_TIMEOUT_MS): Promise<boolean> {
  const response = await fetch(`${address}/api/health/live`, { signal: AbortSignal.timeout(timeoutMs) }).catch(
    () => null,
  );
  await response?.body?.cancel();
  return response !== null;
}

/** Returns the id of the service's first key, which is unique, or null if no service answers. */
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
