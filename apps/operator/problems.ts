import { isStalled } from '#libs/documents/projection-health.js';
import { isEnoughGas } from '#libs/payments/relayer-gas.js';
import { commandFor } from '#libs/terminal/command-line.js';
import type { Health, RailStatus, ComponentHealth } from './status.js';

/** What is wrong with a service, in sentences. */
export function healthProblems(health: Health, now = Date.now()): string[] {
  const problems = [
    ...storeProblems(health),
    ...readModelProblems(health, now),
    ...paymentProblems(health),
    ...health.payments.rails.flatMap(railProblems),
  ];
  if (problems.length > 0 || health.status === 'ok') return problems;
  return [`The service says that it is ${health.status}.`];
}

const storeProblems = ({ event_log, documents, vault }: Health): string[] => [
  ...(event_log.reachable ? [] : ['The event log cannot be reached, or its disk is full: no write is taken.']),
  ...(documents.reachable ? [] : ['The document store cannot be reached: no read is answered.']),
  ...(vault?.reachable === false ? ['The vault cannot be reached: no write is taken.'] : []),
  ...(event_log.unknown_types ?? []).map(unknownSentence),
];

function readModelProblems({ filling, projections, reactions = [] }: Health, now: number): string[] {
  const stopped = projections.filter(({ state }) => state === 'stopped');
  const left = projections.filter(each => isStalled(each, now)).flatMap(each => each.waiting_since ?? []);
  return [
    ...(filling ? [`It fills its read models: ${filling.events} of ${filling.of} events.`] : []),
    ...(left.length > 0 ? [leftSentence(Math.min(...left))] : []),
    ...stopped.map(stoppedSentence),
    ...reactions.filter(({ state }) => state === 'failing').map(failingSentence),
  ];
}

function paymentProblems({ payments: { not_applied, unclear } }: Health): string[] {
  const look = `look at ${commandFor('operator', 'payments')}.`;
  return [
    ...(not_applied ? [`Of ${not_applied} payments that have settled the effect fails, and is owed: ${look}`] : []),
    ...(unclear ? [`Of ${unclear} payments no RPC address shows where they settled: ${look}`] : []),
  ];
}

const railProblems = ({
  rail,
  reachable,
  domain_separator,
  addresses_agree,
  transactions_left: left,
}: RailStatus): string[] => [
  ...(reachable ? [] : [`The chain of ${rail} cannot be reached.`]),
  ...(domain_separator === 'wrong'
    ? [`The token of ${rail} has another domain separator: payments cannot settle there.`]
    : []),
  ...(addresses_agree === false
    ? [`The RPC addresses of ${rail} show different chains: look which of them is right.`]
    : []),
  ...(typeof left === 'number' && !isEnoughGas(left)
    ? [`The relayer of ${rail} can hardly pay for a transaction: send it the chain's coin.`]
    : []),
];

const leftSentence = (since: number) =>
  `Nobody folds the events since ${new Date(since).toISOString()}: does a projector run?`;

const unknownSentence = (type: string) =>
  `The event log holds ${type}, which this version of the service does not know: start a newer one.`;

/** The reason names the event and its position, in the words of the projector. */
export const stoppedSentence = ({ name, position, reason }: Pick<ComponentHealth, 'name' | 'position' | 'reason'>) =>
  `The projection ${name} stopped behind position ${position}: ${reason ?? 'it does not say why.'}`;

/** The reason names the event, its position and what is in the way. */
const failingSentence = ({ name, lag, reason }: ComponentHealth) =>
  `The reaction ${name} fails again and again, and ${lag} events wait for it: ${reason ?? 'it does not say why.'}`;
