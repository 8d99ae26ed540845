import type { Vault } from '#libs/platform/vault/port.js';
import { parseJson } from '#libs/kernel/json.js';
import type { SeenEvent } from './watched-log.js';

/** Name in the vault. Not in backups, because a position is valid in one log only. */
export const LAST_SEEN = 'last-seen';

/**
 * Last event that a process has seen, at most seconds before it was killed: short-lived state may rest on it even if no
 * document does.
 */
export async function readLastSeen(vault: Vault): Promise<SeenEvent | null> {
  const entry = await vault.get(LAST_SEEN);
  return entry instanceof Uint8Array ? (parseJson(Buffer.from(entry).toString()) as SeenEvent | null) : null;
}

export const saveLastSeen = (vault: Vault, seen: SeenEvent): Promise<void> =>
  vault.replace(LAST_SEEN, Buffer.from(JSON.stringify(seen)));

/** Keeps a later event of another process. */
export async function advanceLastSeen(vault: Vault, seen: SeenEvent | null): Promise<void> {
  const saved = await readLastSeen(vault);
  if (seen && (!saved || saved.position < seen.position)) await saveLastSeen(vault, seen);
}

export const forgetLastSeen = (vault: Vault): Promise<void> => vault.replace(LAST_SEEN, Buffer.from('null'));
