import { isPosition, type Position, LOG_START } from '#libs/kernel/event.js';
import type { Vault } from '#libs/platform/vault/port.js';
import type { EventLog } from './event-log.port.js';

/** Name in the vault; backups leave it out, because positions of another log have no meaning. */
export const ERASURE_MARK = 'erased-up-to';

/**
 * Position up to which this vault holds no key of a forgotten muse. It is kept in the vault itself, so an older copy of
 * the vault has an older position. `START` where the log does not hold the position.
 */
export async function readErasureMark(vault: Vault, log: Pick<EventLog, 'holds'>): Promise<Position> {
  const held = await vault.get(ERASURE_MARK);
  const position = held instanceof Uint8Array ? Buffer.from(held).toString() : LOG_START;
  return isPosition(position) && (await log.holds(position)) ? position : LOG_START;
}

export const saveErasureMark = (vault: Vault, position: Position): Promise<void> =>
  vault.replace(ERASURE_MARK, Buffer.from(position));

/** For a vault that is used with another log from now on. */
export async function resetErasureMark(vault: Vault): Promise<void> {
  if ((await vault.get(ERASURE_MARK)) !== undefined) await saveErasureMark(vault, LOG_START);
}
