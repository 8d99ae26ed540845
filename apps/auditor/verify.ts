import { SALES } from '#libs/service/sales.js';
import { checkCheckpointSigner, fetchCheckpoint, type SignedCheckpoint } from '#libs/audit/checkpoint.js';
import type { DecisionCounts } from '#libs/audit/checks/decisions.js';
import type { AuthorizationCounts } from '#libs/audit/checks/signatures.js';
import { type Finding, findingLine } from '#libs/audit/findings.js';
import { readKeptEvidence } from '#libs/audit/kept-evidence.js';
import type { EventSource } from '#libs/audit/sources/source.js';
import { checkPayments, isSettled, type OnChainCounts } from '#libs/audit/payments-on-chain.js';
import { checkRecords, type RecordBasis } from '#libs/audit/records.js';
import { type LogVerification, verifyLog } from '#libs/audit/verify-log.js';
import { parseStreamKey } from '#libs/domain/define.js';
import type { Settings } from '#libs/setup/settings.js';
import { ProgressBars } from '#libs/terminal/progress-bars.js';
import { escapeLine } from '#libs/terminal/escape-controls.js';
import type { Arguments } from './arguments.js';
import { DECISIONS, REQUEST_RULES } from './decision-table.js';
import { resolveRpc } from './rpc-addresses.js';
import { isAddress } from './source.js';

/** What `verify` answers. */
export interface VerifyReport {
  readonly ok: boolean;
  readonly origin: string;
  readonly events: number;
  /** How many signatures were verified. */
  readonly signatures: number;
  /** Of how many signed records and credentials the signature and the named events were verified. */
  readonly records: number;
  /** How many payments were found on their chain; without `--rpc`, how many the log shows as settled. */
  readonly payments: number;
  /** Whether the payments were looked for on their chain. */
  readonly on_chain: boolean;
  /** Wages that were found on their chain, to an address of which the log does not show whose it is. */
  readonly unshown_receivers: number;
  /** Settled payments of which no chain was asked, by their chain; empty where none was asked at all. */
  readonly not_looked_up: { readonly [chain: string]: number };
  /** On what the events rest. */
  readonly claims: AuthorizationCounts;
  /** How many events were decided again, and how many could not be. */
  readonly decisions: DecisionCounts;
  readonly head: string | null;
  readonly root: string;
  readonly findings: readonly Finding[];
  /** How many more findings there are than are told. */
  readonly untold: number;
}

/** Looks at everything that the source claims. */
export async function verify(source: EventSource, asked: Arguments, settings: Settings): Promise<VerifyReport> {
  const { exports, ...kept } = await readKeptEvidence(asked.checkpoint);
  const own = await findCheckpoint(source, asked);
  const checkpoints = typeof own === 'object' ? [...kept.checkpoints, own] : kept.checkpoints;
  const bars = new ProgressBars();
  const options = {
    tag: settings.messageTag,
    second: asked.second,
    decisions: DECISIONS,
    requests: REQUEST_RULES,
    sales: SALES,
    progress: bars.partBar('Verifying'),
  };
  const verified = await verifyLog(source, { ...options, exports, checkpoints });
  bars.end();
  const { events, head, root, claims, decisions, facts, findings } = verified;
  if (typeof own === 'string') findings.add('tree', own);
  for (const checkpoint of checkpoints) checkCheckpointSigner(checkpoint, facts.issuerKeys(), findings);
  const records = await verifyRecords(asked, verified);
  const rpc = await resolveRpc(asked.rpc, settings);
  const payments = await verifyPayments(rpc, verified);
  return {
    ok: findings.total === 0,
    origin: source.origin,
    events,
    signatures: claims.verified,
    records,
    payments: payments.found,
    on_chain: rpc !== null,
    unshown_receivers: payments.unshown,
    not_looked_up: payments.unasked,
    claims,
    decisions,
    head,
    root,
    findings: findings.list,
    untold: findings.total - findings.list.length,
  };
}

/** What a service has signed of its log, or the sentence of why that cannot be had: everything else is looked at all the same. */
async function findCheckpoint(source: EventSource, asked: Arguments): Promise<SignedCheckpoint | string | undefined> {
  try {
    if (source.checkpoint) return await source.checkpoint();
    // The configured log is read behind what a service answers that is named; an export may be of long before.
    return asked.from === undefined && asked.service !== undefined ? await fetchCheckpoint(asked.service) : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Records are asked for where the events come from a service, or one is named. */
async function verifyRecords(
  { service, from, records }: Arguments,
  { facts, order, findings }: LogVerification,
): Promise<number> {
  const address = service ?? (from !== undefined && isAddress(from) ? from : undefined);
  if (address === undefined) return 0;
  const keysOf = (category: string) =>
    order
      .streamNames()
      .filter(stream => stream.startsWith(`${category}-`))
      .map(parseStreamKey);
  const subjects = { hires: keysOf('hire'), applications: keysOf('application'), muses: keysOf('muse') };
  const stands: RecordBasis['isAtRevision'] = (...event) => order.isAtRevision(...event);
  return checkRecords(
    address.replace(/\/+$/, ''),
    subjects,
    { keys: facts.issuerKeys(), isAtRevision: stands, ofEachMax: records },
    findings,
  );
}

async function verifyPayments(
  rpc: ReadonlyMap<string, string> | null,
  { facts, findings }: LogVerification,
): Promise<OnChainCounts> {
  const payments = facts.acceptedPayments();
  return rpc === null
    ? { found: payments.filter(isSettled).length, unshown: 0, unasked: {} }
    : checkPayments({ payments, receivers: facts.receivers, sales: facts.sales }, rpc, findings);
}

const NAMED_MAX = 10;

/** The first of some names. */
const formatNames = (names: readonly string[]) =>
  [...names.slice(0, NAMED_MAX), ...(names.length > NAMED_MAX ? ['...'] : [])].join(', ');

/** The report for a person. */
export function verifyText(report: VerifyReport): string {
  const { claims, decisions, findings, untold } = report;
  const counts: [number, string][] = [
    [claims.verified, 'events rest on a signature that was verified'],
    [claims.private, 'on a signature over something private, which cannot be rebuilt here'],
    [claims.erased, 'on a signature over something that was erased'],
    [claims.withheld, 'on a signature that is not shown, and nothing that was read says why: ask the service for it'],
    [claims.bearer, 'on a bearer token'],
    [claims.service, 'on the word of the service'],
    [claims.operator, 'on the word of its operator'],
    [claims.hidden, 'are shown by their digest alone'],
    [decisions.again, 'events were decided again from what they are based on, and come out the same'],
    [decisions.by_rule, 'follow by a rule of their own from what was before them'],
    [decisions.undecided, 'cannot be decided again, for what was asked for is private or erased'],
    [
      decisions.lacking,
      `were decided by rules that this build does not have: ${escapeLine(formatNames(decisions.lacking_rules))}`,
    ],
    [
      report.records,
      'signed records and credentials had their signature and the events that they name verified; diff compares the rest',
    ],
    [report.payments, report.on_chain ? 'payments were found on their chain' : 'payments are settled, as the log says'],
    [
      report.unshown_receivers,
      'wages went to an address that is not shown, as a payout address is private: whose it is cannot be seen here',
    ],
    ...Object.entries(report.not_looked_up).map(([chain, count]): [number, string] => [
      count,
      `payments on ${escapeLine(chain)} were not looked up: --rpc names no address of it`,
    ]),
  ];
  return [
    escapeLine(`${report.origin}: ${report.events} events, root ${report.root}`),
    ...counts.filter(([count]) => count > 0).map(([count, what]) => `${String(count).padStart(9)}  ${what}`),
    findings.length === 0 ? 'Nothing is wrong.' : `${findings.length + untold} findings:`,
    ...findings.map(finding => `  ${findingLine(finding)}`),
  ].join('\n');
}
