import { isStalled } from '#libs/documents/health.js';
import { isEnoughGas } from '#libs/payments/gas.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { commandFor } from '#libs/terminal/command-line.js';

/** Fields of `GET /api/health` in which problems are looked for. Another version of the service may omit some. */
export type ReportedHealth = JsonObject & ReportedParts & { readonly ok: boolean };
export interface ReportedParts {
  readonly status: string;
  readonly event_log: {
    readonly kind?: string;
    readonly reachable: boolean;
    readonly position?: string | null;
    readonly unknown_types?: readonly string[] | null;
  };
  readonly documents: { readonly kind?: string; readonly reachable: boolean };
  readonly vault?: { readonly reachable: boolean };
  readonly filling?: { readonly events: number; readonly of: number } | null;
  readonly projections: readonly ComponentHealth[];
  readonly reactions: readonly ComponentHealth[];
  readonly payments: {
    readonly open?: number | null;
    readonly not_applied?: number | null;
    readonly unclear?: number | null;
    readonly accounts_without_key?: readonly string[] | null;
    readonly differences?: number | null;
    readonly rails: readonly RailStatus[];
  };
}
type ComponentHealth = {
  readonly name: string;
  readonly position: string;
  readonly lag: number | null;
  readonly waiting_since?: number | null;
  readonly state: string;
  readonly reason?: string;
};
type RailStatus = {
  readonly rail: string;
  readonly reachable: boolean;
  readonly domain_separator: string | null;
  readonly addresses_agree?: boolean | null;
  readonly transactions_left?: number | null;
};

/** A problem that an operator must solve. The id stays the same while numbers in the sentence change. */
export interface Problem {
  readonly id: string;
  readonly sentence: string;
}

/** Null if any is unknown. */
export function largestLag(projections: ReportedParts['projections']): number | null {
  const lags = projections.flatMap(({ lag }) => lag ?? []);
  return lags.length === 0 || lags.length < projections.length ? null : Math.max(...lags);
}

export const healthProblems = (health: ReportedParts, now = Date.now()): string[] =>
  findProblems(health, now).map(({ sentence }) => sentence);

export function findProblems(health: ReportedParts, now: number): Problem[] {
  const problems = [
    ...storeProblems(health),
    ...readModelProblems(health, now),
    ...paymentProblems(health),
    ...health.payments.rails.flatMap(railProblems),
  ].map(([id, sentence]) => ({ id, sentence }));
  if (problems.length > 0 || health.status === 'ok') return problems;
  return [{ id: 'status', sentence: `The service reports the status ${health.status}.` }];
}

type Entry = readonly [id: string, sentence: string];

const storeProblems = ({ event_log, documents, vault }: ReportedParts): Entry[] => [
  ...when(
    !event_log.reachable,
    'log',
    'The event log cannot be reached or is damaged, or its disk is full: writes are refused.',
  ),
  ...when(!documents.reachable, 'documents', 'The document store cannot be reached: reads fail.'),
  ...when(vault?.reachable === false, 'vault', 'The vault cannot be reached: writes are refused.'),
  ...(event_log.unknown_types ?? []).map((type): Entry => [`type ${type}`, unknownTypeSentence(type)]),
];

const when = (condition: boolean, id: string, sentence: string): Entry[] => (condition ? [[id, sentence]] : []);

function readModelProblems({ event_log, filling, projections, reactions = [] }: ReportedParts, now: number): Entry[] {
  const stopped = projections.filter(({ state }) => state === 'stopped');
  const waitingSince = projections.filter(each => isStalled(each, now)).flatMap(each => each.waiting_since ?? []);
  const progress = filling ? `${filling.events} of ${filling.of} events` : '';
  return [
    ...when(event_log.reachable && [...projections, ...reactions].some(isUncounted), 'lag', UNCOUNTED),
    ...when(progress !== '', 'filling', `The service is filling its read models: ${progress}.`),
    ...(waitingSince.length > 0 ? when(true, 'projector', waitingSentence(Math.min(...waitingSince))) : []),
    ...stopped.map((each): Entry => [`projection ${each.name}`, stoppedSentence(each)]),
    ...reactions
      .filter(({ state }) => state === 'failing')
      .map((each): Entry => [`reaction ${each.name}`, failingSentence(each)]),
  ];
}

const keySentence = (account: string) =>
  `${account} has open escrows, but its key is missing: add it to RELAYER_KEY_FILE again. Only it can send their money.`;

function paymentProblems({ payments }: ReportedParts): Entry[] {
  const { not_applied, unclear, differences, accounts_without_key } = payments;
  const remedy = `see ${commandFor('operator', 'payments')}.`;
  const failed = `${not_applied} payments have settled, but their actions failed and are owed: ${remedy}`;
  const hidden = `${unclear} payments have settled, but no RPC address shows the transaction: ${remedy}`;
  const named = commandFor('operator', 'payments --reconcile');
  const differ = `The log and the chains differ in ${differences} places: see ${named}.`;
  return [
    ...when(Boolean(not_applied), 'not_applied', failed),
    ...when(Boolean(unclear), 'unclear', hidden),
    ...when(Boolean(differences), 'differences', differ),
    ...(accounts_without_key ?? []).map((account): Entry => [`account ${account}`, keySentence(account)]),
  ];
}

function railProblems(each: RailStatus): Entry[] {
  const { rail, reachable, domain_separator, addresses_agree, transactions_left: left } = each;
  const wrongToken = `The token of ${rail} has another domain separator: payments cannot settle there.`;
  const fork = `The RPC addresses of ${rail} show different chains: find out which address is right.`;
  const gas = `The relayer of ${rail} is almost out of gas: send it the chain's coin.`;
  return [
    ...when(!reachable, `chain ${rail}`, `The chain of ${rail} cannot be reached.`),
    ...when(domain_separator === 'wrong', `token ${rail}`, wrongToken),
    ...when(addresses_agree === false, `addresses ${rail}`, fork),
    ...when(typeof left === 'number' && !isEnoughGas(left), `gas ${rail}`, gas),
  ];
}

const isUncounted = ({ lag }: ComponentHealth) => lag === null;
const UNCOUNTED =
  'The events that are not processed yet cannot be counted: the event log does not answer, or it lost some.';

const waitingSentence = (since: number) =>
  `No projector has processed the events since ${new Date(since).toISOString()}: start one.`;

const unknownTypeSentence = (type: string) =>
  `The event log holds ${type}, which this version of the service does not know: start a newer version.`;

/** The projector's reason names the event and its position. */
export const stoppedSentence = ({ name, position, reason }: Pick<ComponentHealth, 'name' | 'position' | 'reason'>) =>
  `The projection ${name} stopped after position ${position}: ${reason ?? 'no reason is given.'}`;

const failingSentence = ({ name, lag, reason }: ComponentHealth) =>
  `The reaction ${name} keeps failing, and ${lag ?? 'some'} events wait for it: ${reason ?? 'no reason is given.'}`;
