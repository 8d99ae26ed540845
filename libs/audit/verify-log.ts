import type { Check, ExaminedEvent } from './checks/check.js';
import { RequestConsistencyCheck } from './checks/request-consistency.js';
import { BasisCheck } from './checks/basis.js';
import { type DecisionCounts, DecisionCheck } from './checks/decisions.js';
import { EndedAccessCheck } from './checks/ended-access.js';
import { HiddenRequestCheck } from './checks/hidden-requests.js';
import { KeptExportCheck } from './checks/kept-export.js';
import { KeyCheck } from './checks/keys.js';
import { NonceCheck } from './checks/nonces.js';
import { OrderCheck } from './checks/order.js';
import { ShownValueCheck } from './checks/shown-values.js';
import { type AuthorizationCounts, SignatureCheck } from './checks/signatures.js';
import { StateCheck } from './checks/states.js';
import { type KnownRoot, TreeCheck } from './checks/tree.js';
import type { DecisionTable } from '#libs/endpoints/decision.js';
import type { PaymentTermsTable } from '#libs/endpoints/payment-terms.js';
import type { Event } from '#libs/kernel/event.js';
import { Findings } from './findings.js';
import { readSignature } from './signatures.js';
import { isPrivateEvent, isPublicEvent, openPublicEvent, type PublicEvent } from './public-event.js';
import type { RequestRules } from './request-rules.js';
import { AuditState } from './rules/audit-state.js';
import type { EventSource } from './sources/source.js';

export interface VerifyOptions {
  /** First line of signed messages. */
  readonly tag: string;
  /** Whether every signature is verified by a second implementation too. */
  readonly second?: boolean;
  /** Checkpoints that somebody kept, or that the service answers. Whether they are signed by the issuer is the caller's to ask. */
  readonly checkpoints?: readonly KnownRoot[];
  /** Exports that somebody kept. */
  readonly exports?: readonly EventSource[];
  /** What decides the events; left out, nothing is decided again. */
  readonly decisions?: DecisionTable;
  /** What requests may come to; left out, none is held against what it asks for. */
  readonly requests?: RequestRules;
  /** The paid endpoints; empty, payments are held against none of their terms. */
  readonly sales: PaymentTermsTable;
  readonly progress?: (events: number) => void;
}

/** What an audit of the log alone has found. */
export interface LogVerification {
  readonly events: number;
  readonly head: string | null;
  /** Of the tree of all events, lower-case hex. */
  readonly root: string;
  readonly claims: AuthorizationCounts;
  readonly decisions: DecisionCounts;
  readonly order: OrderCheck;
  readonly facts: AuditState;
  readonly findings: Findings;
}

/** Looks at every event of a source, in one pass. Only what is wrong with the source itself is thrown. */
export async function verifyLog(source: EventSource, options: VerifyOptions): Promise<LogVerification> {
  const findings = new Findings();
  const facts = new AuditState(options.sales);
  const tree = new TreeCheck(findings, knownRoots(source, options), source.digests === 'own');
  const signatures = new SignatureCheck(findings, options.second ?? false);
  const order = new OrderCheck(findings);
  const decisions = new DecisionCheck(findings, facts, options.decisions ?? null);
  const checks: Check[] = [
    order,
    tree,
    signatures,
    new HiddenRequestCheck(findings, signatures.claims, options.requests ?? null),
    new RequestConsistencyCheck(findings, options.requests ?? null),
    new KeyCheck(findings),
    new EndedAccessCheck(findings),
    new NonceCheck(findings),
    new ShownValueCheck(findings),
    new BasisCheck(findings, facts),
    decisions,
    new StateCheck(findings, facts),
    ...keptExportChecks(options, findings),
  ];
  let head: string | null = null;
  for await (const shown of source.events(findings)) {
    const event = examine(shown, options.tag, findings);
    if (event) await runChecks(checks, event, findings);
    head = shown.position;
    options.progress?.(tree.size);
  }
  for (const check of checks) await check.finish?.();
  const counts = { claims: signatures.claims, decisions: decisions.counts };
  return { events: tree.size, head, root: tree.root, ...counts, order, facts, findings };
}

/** The event, opened; null where it is so broken that nothing can be looked at. */
export function examine(shown: PublicEvent, tag: string, findings: Findings): ExaminedEvent | null {
  if (isPublicEvent(shown)) return new LazyExaminedEvent(shown, tag);
  findings.add('source', 'It is no event: members are missing or are of another kind.', findingLocation(shown));
  return null;
}

class LazyExaminedEvent implements ExaminedEvent {
  readonly opened: Event | null;
  private signature: ReturnType<typeof readSignature> | undefined;

  constructor(
    readonly shown: PublicEvent,
    private readonly tag: string,
  ) {
    this.opened = isPrivateEvent(shown) ? null : openPublicEvent(shown);
  }

  readSignature(): ReturnType<typeof readSignature> {
    return (this.signature ??= this.opened ? readSignature(this.opened, this.tag) : 'hidden');
  }
}

/** A broken event may make a check stumble; that is a finding too, and the other checks go on. */
async function runChecks(checks: readonly Check[], event: ExaminedEvent, findings: Findings): Promise<void> {
  for (const check of checks) {
    try {
      const taking = check.examine(event);
      if (taking) await taking;
    } catch (error) {
      findings.add('source', `It cannot be looked at: ${(error as Error).message}`, event.shown);
    }
  }
}

function findingLocation(value: unknown): { readonly position?: string; readonly type?: string } {
  const { position, type } = Object(value) as { readonly [name: string]: unknown };
  return { ...(typeof position === 'string' && { position }), ...(typeof type === 'string' && { type }) };
}

function knownRoots({ manifest }: EventSource, { checkpoints = [], exports = [] }: VerifyOptions): KnownRoot[] {
  return [
    ...(manifest ? [{ ...manifest, label: 'The manifest of the export' }] : []),
    ...checkpoints,
    ...exports.flatMap(kept => (kept.manifest ? [{ ...kept.manifest, label: 'The kept export' }] : [])),
  ];
}

const keptExportChecks = ({ exports = [] }: VerifyOptions, findings: Findings) =>
  exports.map(kept => new KeptExportCheck(findings, kept.events(findings)[Symbol.asyncIterator]()));
