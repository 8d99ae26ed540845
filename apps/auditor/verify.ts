import { checkIssuer, readKeptCheckpoint } from '#libs/audit/checkpoint.js';
import type { Claims } from '#libs/audit/checks/signatures.js';
import { type Finding, findingLine } from '#libs/audit/findings.js';
import type { EventSource } from '#libs/audit/sources/source.js';
import { verifyLog } from '#libs/audit/verify-log.js';
import type { Settings } from '#libs/setup/settings.js';
import type { Arguments } from './arguments.js';
import { Progress } from './progress.js';

/** What `verify` answers. */
export interface VerifyReport {
  readonly ok: boolean;
  readonly origin: string;
  readonly events: number;
  /** How many signatures were verified. */
  readonly signatures: number;
  /** How many signed records and credentials were verified. */
  readonly records: number;
  /** How many payments were found on their chain; without `--rpc`, how many the log shows as settled. */
  readonly payments: number;
  /** On what the events rest. */
  readonly claims: Claims;
  readonly head: string | null;
  readonly root: string;
  readonly findings: readonly Finding[];
  /** How many more findings there are than are told. */
  readonly untold: number;
}

/** Looks at everything that the source claims. */
export async function verify(source: EventSource, asked: Arguments, settings: Settings): Promise<VerifyReport> {
  const checkpoint = asked.checkpoint === undefined ? undefined : readKeptCheckpoint(asked.checkpoint);
  const progress = new Progress('Verifying');
  const options = { tag: settings.messageTag, second: asked.second, progress: progress.show };
  const verified = await verifyLog(source, { ...options, ...(checkpoint && { checkpoint }) });
  progress.end();
  const { events, head, root, claims, facts, findings } = verified;
  if (checkpoint) checkIssuer(checkpoint, facts.issuerKeys(), findings);
  return {
    ...{ ok: findings.total === 0, origin: source.origin, events, signatures: claims.verified },
    ...{ records: 0, payments: 0, claims, head, root },
    ...{ findings: findings.list, untold: findings.total - findings.list.length },
  };
}

/** The report for a person. */
export function verifyText(report: VerifyReport): string {
  const { claims, findings, untold } = report;
  const counts: [number, string][] = [
    [claims.verified, 'events rest on a signature that was verified'],
    [claims.private, 'on a signature over something private, which cannot be rebuilt here'],
    [claims.erased, 'on a signature over something that was erased'],
    [claims.bearer, 'on a bearer token'],
    [claims.service, 'on the word of the service'],
    [claims.operator, 'on the word of its operator'],
    [claims.hidden, 'are shown by their digest alone'],
    [report.records, 'signed records and credentials verified'],
    [report.payments, 'payments'],
  ];
  return [
    `${report.origin}: ${report.events} events, root ${report.root}`,
    ...counts.filter(([count]) => count > 0).map(([count, what]) => `${String(count).padStart(9)}  ${what}`),
    findings.length === 0 ? 'Nothing is wrong.' : `${findings.length + untold} findings:`,
    ...findings.map(finding => `  ${findingLine(finding)}`),
  ].join('\n');
}
