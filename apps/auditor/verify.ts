import { PURCHASES, SALES } from '#libs/service/sales.js';
import { checkCheckpointSigner, fetchCheckpoint, type SignedCheckpoint } from '#libs/audit/checkpoint.js';
import type { DecisionCounts } from '#libs/audit/checks/decisions.js';
import type { AuthorizationCounts } from '#libs/audit/checks/signatures.js';
import { type Finding, findingLine, type Findings } from '#libs/audit/findings.js';
import { reportErasedValues } from '#libs/audit/erased-values.js';
import { readKeptEvidence } from '#libs/audit/kept-evidence.js';
import type { EventSource } from '#libs/audit/sources/source.js';
import { checkPayments, type OnChainCounts } from '#libs/audit/payments-on-chain.js';
import { checkIssuerDocuments } from '#libs/audit/issuer-documents.js';
import { checkRecords, type RecordContext } from '#libs/audit/records.js';
import { type LogVerification, LogVerifier } from '#libs/audit/verify-log.js';
import { parseStreamKey } from '#libs/domain/define.js';
import { isSettled } from '#libs/domain/payment.js';
import type { ClockMove } from '#libs/domain/service.js';
import { DECISIONS, REQUEST_RULES } from '#libs/service/decision-table.js';
import type { Settings } from '#libs/setup/settings.js';
import { ProgressBars } from '#libs/terminal/progress-bars.js';
import { escapeLine } from '#libs/terminal/print.js';
import type { Arguments } from './arguments.js';
import { RecordReplay } from './record-replay.js';
import { resolveRpc } from './rpc-addresses.js';
import { isAddress } from './source.js';

/** Result of `verify`. */
export interface VerifyReport {
  readonly ok: boolean;
  readonly origin: string;
  readonly events: number;
  /** Verified signatures. */
  readonly signatures: number;
  /** Signed records and credentials whose signature and named events were verified. */
  readonly records: number;
  /** Address whose current keys were compared with the log; null if the events come from a file or no address is known. */
  readonly service: string | null;
  /** Payments found on their chain; without `--rpc`, payments that the log shows as settled. */
  readonly payments: number;
  /** Whether payments were looked up on their chain. */
  readonly on_chain: boolean;
  /** Wages found on their chain that went to an address whose owner the log does not show. */
  readonly unshown_receivers: number;
  /** Settled payments by chain that were not looked up for lack of an address; empty without `--rpc`. */
  readonly not_looked_up: { readonly [chain: string]: number };
  /** Addresses at which the service took requests, as its log names them. */
  readonly origins: readonly string[];
  /** The order of times starts again at each: the clock of a process was behind the log. */
  readonly clock_moves: readonly ClockMove[];
  /** Agents that the service forgot, because their key was destroyed before the log went back. */
  readonly forgotten_again: readonly string[];
  /** Events by the kind of their authorization. */
  readonly claims: AuthorizationCounts;
  /** Events by whether their decision could be replayed. */
  readonly decisions: DecisionCounts;
  readonly head: string | null;
  readonly root: string;
  /** Number of findings of each kind. */
  readonly kinds: Findings['kinds'];
  readonly findings: readonly Finding[];
  /** Findings that are counted but not listed. */
  readonly unlisted: number;
}

export async function verify(source: EventSource, args: Arguments, settings: Settings): Promise<VerifyReport> {
  const { exports, ...evidence } = await readKeptEvidence(args.checkpoint);
  const checkpoint = await findCheckpoint(source, args);
  const checkpoints = typeof checkpoint === 'object' ? [...evidence.checkpoints, checkpoint] : evidence.checkpoints;
  const service = liveAddress(args);
  const logged = service === null ? null : new RecordReplay(service);
  const verifier = await ProgressBars.during(async bars => {
    const verifier = new LogVerifier(source, {
      tag: settings.messageTag,
      second: args.second,
      decisions: DECISIONS,
      requests: REQUEST_RULES,
      sales: SALES,
      purchases: PURCHASES,
      progress: bars.partBar('Verifying'),
      exports,
      checkpoints,
      erasuresUpTo: source.manifest?.size ?? (typeof checkpoint === 'object' ? checkpoint.size : 0),
    });
    await verifier.examine(logged?.follow(source) ?? source);
    return verifier;
  });
  const records = await verifyRecords(args, verifier, logged);
  await reportErasedValues(verifier.erased.find(), service, verifier.findings, REQUEST_RULES);
  const verified = await verifier.finish();
  const { events, head, root, claims, decisions, facts, findings } = verified;
  if (typeof checkpoint === 'string') findings.add('tree', checkpoint);
  for (const checkpoint of checkpoints) checkCheckpointSigner(checkpoint, facts.issuerKeys(), findings);
  if (service !== null) await checkIssuerDocuments(service, { service: facts.service(), head }, findings);
  const rpc = await resolveRpc(args.rpc, settings);
  const payments = await verifyPayments(rpc, verified);
  return {
    ok: findings.total === 0,
    origin: source.origin,
    events,
    signatures: claims.verified,
    records,
    service,
    payments: payments.found,
    on_chain: rpc !== null,
    unshown_receivers: payments.unshown,
    not_looked_up: payments.notLookedUp,
    origins: facts.service().origins,
    clock_moves: facts.service().clockMoves,
    forgotten_again: facts.forgottenAgain,
    claims,
    decisions,
    head,
    root,
    kinds: findings.kinds,
    findings: findings.list,
    unlisted: findings.total - findings.list.length,
  };
}

/** Returns a sentence if the checkpoint is unavailable, so that all other checks still run. */
async function findCheckpoint(source: EventSource, args: Arguments): Promise<SignedCheckpoint | string | undefined> {
  try {
    if (source.checkpoint) return await source.checkpoint();
    // Only the configured log is compared with the named service: an export may be much older.
    return args.from === undefined && args.service !== undefined ? await fetchCheckpoint(args.service) : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const trimAddress = (address: string) => address.replace(/\/+$/, '');

/** Null for a file: what a service says now may follow from later events. */
function liveAddress({ from, service }: Arguments): string | null {
  if (from === undefined) return service === undefined ? null : trimAddress(service);
  return isAddress(from) ? trimAddress(from) : null;
}

/** Records are only checked if the events come from a service or `--service` names one. */
async function verifyRecords(
  { service, from, records }: Arguments,
  verifier: LogVerifier,
  replay: RecordReplay | null,
): Promise<number> {
  const { facts, order, findings } = verifier;
  const address = service ?? (from !== undefined && isAddress(from) ? from : undefined);
  if (address === undefined) return 0;
  const keysOf = (category: string) =>
    order
      .streamNames()
      .filter(stream => stream.startsWith(`${category}-`))
      .map(parseStreamKey);
  const subjects = { hires: keysOf('hire'), applications: keysOf('application'), muses: keysOf('muse') };
  const isAtRevision: RecordContext['isAtRevision'] = (...event) => order.isAtRevision(...event);
  const logged = replay && (await replay.open(verifier));
  try {
    const basis = { keys: facts.issuerKeys(), isAtRevision, ofEachMax: records, logged };
    return await checkRecords(trimAddress(address), subjects, basis, findings);
  } finally {
    await logged?.close();
  }
}

async function verifyPayments(
  rpc: ReadonlyMap<string, string> | null,
  { facts, findings }: LogVerification,
): Promise<OnChainCounts> {
  const payments = facts.acceptedPayments();
  return rpc === null
    ? { found: payments.filter(isSettled).length, unshown: 0, notLookedUp: {} }
    : checkPayments({ ...facts, payments }, rpc, findings);
}

const NOT_COMPARED =
  'The keys and credentials that the service shows were not compared: read the events from its address.';

const NAMED_MAX = 10;
/** Largest time of ECMAScript. */
const TIME_MS_MAX = 8.64e15;

const formatNames = (names: readonly string[]) =>
  [...names.slice(0, NAMED_MAX), ...(names.length > NAMED_MAX ? ['...'] : [])].join(', ');

const formatMove = ({ from, to }: ClockMove) => `from ${formatTime(from)} to ${formatTime(to)}`;
const formatTime = (at: number) => (Math.abs(at) <= TIME_MS_MAX ? new Date(at).toISOString() : String(at));

export function verifyText(report: VerifyReport): string {
  const { claims, decisions, findings, unlisted } = report;
  const counts: [number, string][] = [
    [claims.verified, 'events rest on a signature that was verified'],
    [claims.private, 'on a signature over private data, which cannot be verified here'],
    [claims.erased, 'on a signature over erased data, which can no longer be verified'],
    [claims.withheld, 'on a signature that the source does not show, for no allowed reason'],
    [claims.bearer, 'on a bearer token'],
    [claims.service, 'on the word of the service alone'],
    [claims.operator, 'on the word of its operator alone'],
    [claims.hidden, 'are shown only as a digest'],
    [decisions.again, 'events were decided again from the streams they name, with the same result'],
    [decisions.by_rule, 'match the rule that derives them from earlier events'],
    [
      decisions.undecided,
      'cannot be decided again, because their request or a value that they read is private or erased',
    ],
    [
      decisions.lacking,
      `were decided by rules that this build does not know: ${escapeLine(formatNames(decisions.lacking_rules))}`,
    ],
    [report.records, 'signed records and credentials have valid signatures and name existing events'],
    [
      report.payments,
      report.on_chain ? 'payments were found on their chain' : 'payments are settled according to the log',
    ],
    [report.origins.length, `addresses took requests for this log: ${escapeLine(formatNames(report.origins))}`],
    [
      report.clock_moves.length,
      `times the clock of a process was behind the log, and the order of times starts again: ${formatNames(report.clock_moves.map(formatMove))}`,
    ],
    [
      report.forgotten_again.length,
      `agents were forgotten again by the service, because their key was destroyed before the log went back: ${escapeLine(formatNames(report.forgotten_again))}`,
    ],
    [report.unshown_receivers, 'wages went to a private payout address: their receiver cannot be verified here'],
    ...Object.entries(report.not_looked_up).map(([chain, count]): [number, string] => [
      count,
      `payments on ${escapeLine(chain)} were not looked up: --rpc names no address of this chain`,
    ]),
  ];
  return [
    escapeLine(`${report.origin}: ${report.events} events, root ${report.root}`),
    ...counts.filter(([count]) => count > 0).map(([count, meaning]) => `${String(count).padStart(9)}  ${meaning}`),
    ...(report.service === null ? [NOT_COMPARED] : []),
    findings.length === 0 ? 'Nothing is wrong.' : `${findings.length + unlisted} findings:`,
    ...findings.map(finding => `  ${findingLine(finding)}`),
  ].join('\n');
}
