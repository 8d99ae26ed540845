import type { Vault } from '#libs/platform/vault/port.js';
import { readEntry, saveEntry } from '#libs/platform/vault/json-entries.js';
import type { SeenEvent } from './watched-log.js';

/** Name in the vault. Not in backups, because a position is valid in one log only. */
export const LAST_SEEN = 'last-seen';

/**
 * Last event that a process has seen, at most seconds before it was killed: short-lived state may rest on it even if no
 * document does.
 */
export const readLastSeen = async (vault: Vault): Promise<SeenEvent | null> =>
  (await readEntry<SeenEvent | null>(vault, LAST_SEEN)) ?? null;

export const saveLastSeen = (vault: Vault, seen: SeenEvent): Promise<void> => saveEntry(vault, LAST_SEEN, seen);

/** Keeps a later event of another process. */
export async function advanceLastSeen(vault: Vault, seen: SeenEvent | null): Promise<void> {
  const saved = await readLastSeen(vault);
  if (seen && (!saved || saved.position < seen.position)) await saveLastSeen(vault, seen);
}

export const forgetLastSeen = (vault: Vault): Promise<void> => saveEntry(vault, LAST_SEEN, null);
