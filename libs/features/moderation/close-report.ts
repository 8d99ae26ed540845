import { randomUUID } from 'node:crypto';
import { assertInStream, defineDecision, formatDecidedBy } from '#libs/endpoints/decision.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { Clock } from '#libs/kernel/clock.js';
import { systemContext } from '#libs/kernel/decide.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { Report, ReportClosed, type ReportKind } from './domain/report.js';

/** Names one report: an agent can report a thing again after its report was closed. */
interface ReportKey {
  readonly report: number;
  readonly muse_id: string;
  readonly kind: ReportKind;
  readonly id: string;
}

const sourceOf = ({ muse_id, kind, id }: ReportKey) => Report.source(muse_id, kind, id);

function closeOpenReport(state: Report, { report, muse_id, kind, id }: ReportKey) {
  if (state.status === 'none') throw new Refusal('not_found', 'There is no such report.');
  const isOpen = state.status === 'open' && state.report === report;
  return isOpen ? [ReportClosed({ report, muse_id, kind, id })] : [];
}

export const closeReport = defineDecision('close-report', {
  by: 'operator',
  writes: [ReportClosed],
  causes: ['operator/close-report/<uuid>'],
  decide({ event, own }) {
    const key = event.data as ReportKey;
    assertInStream(event, sourceOf(key).stream);
    return closeOpenReport(own(Report), key);
  },
});

/** Returns whether the report was open. The reporter reads `reason`. */
export async function executeClose(
  { journal, clock }: { readonly journal: Journal; readonly clock: Clock },
  key: ReportKey,
  reason: string,
): Promise<boolean> {
  const { events } = await executeCommand(
    journal,
    systemContext('operator', reason, {
      at: clock.now(),
      cause: `operator/${closeReport.name}/${randomUUID()}`,
      decidedBy: formatDecidedBy(closeReport),
    }),
    { writes: sourceOf(key), decide: state => closeOpenReport(state, key) },
  );
  return events.length > 0;
}
