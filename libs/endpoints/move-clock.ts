import { ClockMoved, type ClockMove, Service } from '#libs/domain/service.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import type { Journal } from '#libs/event-log/journal.js';
import { systemContext } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { formatDecidedBy } from './decision.js';
import { defineServiceCommand } from './service-commands.js';

const REASON = 'the clock of a process was behind the log';

const decideMove = ({ from, to }: ClockMove, at: number): Fact[] =>
  to === at && to < from ? [ClockMoved({ from, to })] : [];

export const moveClock = defineServiceCommand('move-clock', {
  reason: REASON,
  events: [ClockMoved],
  causes: ['clock/<to>'],
  writes: () => Service.source(),
  decide: (_service, _reads, move: ClockMove, { at }) => decideMove(move, at),
});

/** Starts the order of times again. */
export async function recordClockMove(journal: Journal, move: ClockMove): Promise<void> {
  const { to: at } = move;
  const context = systemContext('service', REASON, {
    at,
    cause: `clock/${at}`,
    decidedBy: formatDecidedBy(moveClock),
  });
  await executeCommand(journal, context, { writes: Service.source(), decide: () => decideMove(move, at) });
}
