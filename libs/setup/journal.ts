import { ClockMoved } from '#libs/domain/service.js';
import { recordClockMove } from '#libs/endpoints/move-clock.js';
import { AppendTimes } from '#libs/event-log/append-times.js';
import type { Codec } from '#libs/event-log/codec.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { Journal } from '#libs/event-log/journal.js';
import { type Clock, MINUTE_MS } from '#libs/kernel/clock.js';
import { FileClock } from './file-clock.js';

/** Opens the journal of a process that writes: it keeps the times of the log in order. */
export function openJournal(log: EventLog, codec: Codec, clock: Clock): Journal {
  const intervalMs = clock instanceof FileClock ? 0 : MINUTE_MS;
  const moves = { type: ClockMoved.type, intervalMs, record: recordClockMove };
  return new Journal(log, codec, new AppendTimes(log, codec.types, clock, moves));
}
