import { formatTable } from '#libs/terminal/table.js';
import type { ReportedHealth } from '#libs/features/stats/health-problems.js';

const HEADING = ['component', 'name', 'state', 'progress'];

const reachabilityText = (reachable: boolean) => (reachable ? 'answers' : 'cannot be reached');
const lagText = (lag: number) => `${lag} events behind`;

/** Rows for all components. Another version of the service may omit some fields. */
export function statusTable({ event_log, documents, projections, reactions = [], payments }: ReportedHealth): string {
  const { position } = event_log;
  return formatTable([
    HEADING,
    ['event log', event_log.kind ?? '', reachabilityText(event_log.reachable), position ? `position ${position}` : ''],
    ['documents', documents.kind ?? '', reachabilityText(documents.reachable), ''],
    ...projections.map(({ name, state, lag }) => ['read model', name, state, lagText(lag)]),
    ...reactions.map(({ name, state, lag }) => ['reaction', name, state, lagText(lag)]),
    ...payments.rails.map(({ rail, reachable, transactions_left: transactionsLeft }) => [
      'rail',
      rail,
      reachabilityText(reachable),
      typeof transactionsLeft === 'number' ? `${transactionsLeft} transactions left` : '',
    ]),
    ...(typeof payments.open === 'number' ? [['payments', 'open', String(payments.open), '']] : []),
  ]);
}
