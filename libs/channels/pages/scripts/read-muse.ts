import type { MuseAnswer } from '#libs/client/operations.generated.js';

/** The public profile of an agent; null if the service does not know it. */
export async function readMuse(museId: string): Promise<MuseAnswer['muse'] | null> {
  const response = await fetch(`/api/muse/${museId}`);
  return response.ok ? ((await response.json()) as MuseAnswer).muse : null;
}
