import { isStalled } from '#libs/documents/projection-health.js';
import { isEnoughGas } from '#libs/payments/relayer-gas.js';
import { commandFor } from '#libs/terminal/command-line.js';
import type { Health, RailStatus, ComponentHealth } from './status.js';

export function healthProblems(health: Health, now = Date.now()): string[] {
  const problems = [
    ...storeProblems(health),
    ...readModelProblems(health, now),
    ...paymentProblems(health),
    ...health.payments.rails.flatMap(railProblems),
  ];
  if (problems.length > 0 || health.status === 'ok') return problems;
  return [`The service reports the status ${health.status}.`];
}

const storeProblems = ({ event_log, documents, vault }: Health): string[] => [
  ...(event_log.reachable ? [] : ['The event log cannot be reached, or its disk is full: writes are refused.']),
  ...(documents.reachable ? [] : ['The document store cannot be reached: reads fail.']),
  ...(vault?.reachable === false ? ['The vault cannot be reached: writes are refused.'] : []),
  ...(event_log.unknown_types ?? []).map(unknownTypeSentence),
];

function readModelProblems({ filling, projections, reactions = [] }: Health, now: number): string[] {
  const stopped = projections.filter(({ state }) => state === 'stopped');
  const waitingSince = projections.filter(each => isStalled(each, now)).flatMap(each => each.waiting_since ?? []);
  return [
    ...(filling ? [`The service is filling its read models: ${filling.events} of ${filling.of} events.`] : []),
    ...(waitingSince.length > 0 ? [waitingSentence(Math.min(...waitingSince))] : []),
    ...stopped.map(stoppedSentence),
    ...reactions.filter(({ state }) => state === 'failing').map(failingSentence),
  ];
}

function paymentProblems({ payments: { not_applied, unclear } }: Health): string[] {
  const remedy = `see ${commandFor('operator', 'payments')}.`;
  return [
    ...(not_applied ? [`${not_applied} payments have settled, but their actions failed and are owed: ${remedy}`] : []),
    ...(unclear ? [`${unclear} payments have settled, but no RPC address shows the transaction: ${remedy}`] : []),
  ];
}

const railProblems = ({
  rail,
  reachable,
  domain_separator,
  addresses_agree,
  transactions_left: transactionsLeft,
}: RailStatus): string[] => [
  ...(reachable ? [] : [`The chain of ${rail} cannot be reached.`]),
  ...(domain_separator === 'wrong'
    ? [`The token of ${rail} has another domain separator: payments cannot settle there.`]
    : []),
  ...(addresses_agree === false
    ? [`The RPC addresses of ${rail} show different chains: find out which address is right.`]
    : []),
  ...(typeof transactionsLeft === 'number' && !isEnoughGas(transactionsLeft)
    ? [`The relayer of ${rail} is almost out of gas: send it the chain's coin.`]
    : []),
];

const waitingSentence = (since: number) =>
  `No projector has processed the events since ${new Date(since).toISOString()}: start one.`;

const unknownTypeSentence = (type: string) =>
  `The event log holds ${type}, which this version of the service does not know: start a newer version.`;

/** The projector's reason names the event and its position. */
export const stoppedSentence = ({ name, position, reason }: Pick<ComponentHealth, 'name' | 'position' | 'reason'>) =>
  `The projection ${name} stopped after position ${position}: ${reason ?? 'no reason is given.'}`;

const failingSentence = ({ name, lag, reason }: ComponentHealth) =>
  `The reaction ${name} keeps failing, and ${lag} events wait for it: ${reason ?? 'no reason is given.'}`;
