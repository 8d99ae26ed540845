import { table } from '#libs/terminal/table.js';
import type { Health } from './status.js';

const HEADING = ['part', 'name', 'state', 'how far'];

const answers = (reachable: boolean) => (reachable ? 'answers' : 'cannot be reached');
const behind = (lag: number) => `${lag} events behind`;

/** Every part of a service with its state, a row each; another version of the service may say less. */
export function statusTable({ event_log, documents, projections, reactions = [], payments }: Health): string {
  const { position } = event_log;
  return table([
    HEADING,
    ['event log', event_log.kind ?? '', answers(event_log.reachable), position ? `position ${position}` : ''],
    ['documents', documents.kind ?? '', answers(documents.reachable), ''],
    ...projections.map(({ name, state, lag }) => ['read model', name, state, behind(lag)]),
    ...reactions.map(({ name, state, lag }) => ['reaction', name, state, behind(lag)]),
    ...payments.rails.map(({ rail, reachable, transactions_left: left }) => [
      'rail',
      rail,
      answers(reachable),
      typeof left === 'number' ? `${left} transactions left` : '',
    ]),
    ...(typeof payments.open === 'number' ? [['payments', 'open', String(payments.open), '']] : []),
  ]);
}
