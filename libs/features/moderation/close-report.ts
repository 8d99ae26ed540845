import { assertInStream } from '#libs/endpoints/decision.js';
import { executeAsOperator, type OperatorAction, operatorDecision } from '#libs/endpoints/operator-decisions.js';
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

export const closeReport = operatorDecision('close-report', {
  writes: [ReportClosed],
  decide({ event, own }) {
    const key = event.data as ReportKey;
    assertInStream(event, sourceOf(key).stream);
    return closeOpenReport(own(Report), key);
  },
});

/** Returns whether the report was open. The reporter reads the reason. */
export const executeClose = (action: OperatorAction, key: ReportKey): Promise<boolean> =>
  executeAsOperator(closeReport, action, { writes: sourceOf(key), decide: state => closeOpenReport(state, key) });
