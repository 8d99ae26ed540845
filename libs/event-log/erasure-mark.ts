import { isPosition, type Position, LOG_START } from '#libs/kernel/event.js';
import type { Vault } from '#libs/platform/vault/port.js';
import type { EventLog } from './event-log.port.js';

/** Name in the vault. Not in backups, because a position is valid in one log only. */
export const ERASURE_MARK = 'erased-up-to';

/**
 * Position up to which the vault holds no key of a forgotten muse. Stored in the vault, so that an older copy has an
 * older position. Returns `LOG_START` if the log does not hold the position.
 */
export async function readErasureMark(vault: Vault, log: Pick<EventLog, 'holds'>): Promise<Position> {
  const entry = await vault.get(ERASURE_MARK);
  const position = entry instanceof Uint8Array ? Buffer.from(entry).toString() : LOG_START;
  return isPosition(position) && (await log.holds(position)) ? position : LOG_START;
}

export const saveErasureMark = (vault: Vault, position: Position): Promise<void> =>
  vault.replace(ERASURE_MARK, Buffer.from(position));

export async function resetErasureMark(vault: Vault): Promise<void> {
  if ((await vault.get(ERASURE_MARK)) !== undefined) await saveErasureMark(vault, LOG_START);
}
