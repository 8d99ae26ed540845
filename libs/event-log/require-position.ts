import type { Position } from '#libs/kernel/event.js';
import { FieldRefusal } from '#libs/kernel/refusal.js';
import type { EventLog } from './event-log.port.js';

/**
 * Refuses a position that the log does not hold: its caller has seen another log, such as one that was restored from an
 * older backup. A page may end after the newest event, where the log has records of its own.
 */
export async function requirePosition(log: EventLog, after: Position): Promise<void> {
  if (await log.holds(after)) return;
  const head = await log.head();
  const sentence =
    after > head
      ? `after is larger than the position of the newest event, ${head}.`
      : 'after is no position of this log: no event has it.';
  throw new FieldRefusal('after', sentence, 'out_of_range');
}
