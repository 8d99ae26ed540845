import type { Position } from '#libs/kernel/event.js';
import { FieldRefusal } from '#libs/kernel/refusal.js';
import type { EventLog } from './event-log.port.js';

/** Whether a position is after the end of the log, such as one seen before a restore. */
export async function isBeyondEnd(log: Pick<EventLog, 'holds' | 'head'>, position: Position): Promise<boolean> {
  return !(await log.holds(position)) && position > (await log.head());
}

/**
 * Throws `out_of_range` for a position that the log does not hold, such as one seen before a restore. The end of a page
 * may be after the newest event.
 */
export async function requirePosition(log: EventLog, after: Position): Promise<void> {
  if (await log.holds(after)) return;
  const head = await log.head();
  const message =
    after > head
      ? `\`after\` is larger than the position of the newest event, ${head}.`
      : '`after` is not a position of this log. Use `next` of an earlier page.';
  throw new FieldRefusal('after', message, 'out_of_range');
}
