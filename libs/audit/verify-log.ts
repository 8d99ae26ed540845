import type { Check, ExaminedEvent } from './checks/check.js';
import { RequestConsistencyCheck, type RequestRules } from './request-rules.js';
import { BasisCheck } from './checks/basis.js';
import { CallerCheck } from './checks/callers.js';
import { PurchaseCheck } from './checks/purchases.js';
import type { PaidCommandTable } from '#libs/endpoints/purchase-decision.js';
import { type DecisionCounts, DecisionCheck } from './checks/decisions.js';
import { DerivationCheck } from './checks/derivation.js';
import { ErasedValueCheck } from './checks/erased-values.js';
import { HiddenRequestCheck } from './checks/hidden-requests.js';
import { KeptExportCheck } from './checks/kept-export.js';
import { KeyCheck } from './checks/keys.js';
import { FollowUpCheck } from './checks/follow-ups.js';
import { NonceCheck } from './checks/nonces.js';
import { OriginCheck } from './checks/origins.js';
import { OrderCheck } from './checks/order.js';
import { ShownValueCheck } from './checks/shown-values.js';
import { type AuthorizationCounts, SignatureCheck } from './checks/signatures.js';
import { StaleCheck } from './checks/stale.js';
import { StateCheck } from './checks/states.js';
import { TimeCheck } from './checks/times.js';
import { type ExpectedRoot, TreeCheck } from './checks/tree.js';
import { PaidRequestCheck } from './checks/paid-requests.js';
import { UnsentEscrowCheck } from './checks/unsent-escrows.js';
import { VoidPaymentCheck } from './checks/void-payments.js';
import type { DecisionTable } from '#libs/endpoints/decision.js';
import type { PaymentTermsTable } from '#libs/endpoints/paid-action.js';
import type { Event } from '#libs/kernel/event.js';
import { Findings } from './findings.js';
import { readSignature } from './signatures.js';
import { isPrivateEvent, isPublicEvent, openPublicEvent, type PublicEvent } from './public-event.js';
import { AuditState } from './rules/audit-state.js';
import type { EventSource } from './sources/source.js';

export interface VerifyOptions {
  /** First line of signed messages. */
  readonly tag: string;
  /** Verifies each signature with a second implementation too. */
  readonly second?: boolean;
  /** The caller verifies their signatures. */
  readonly checkpoints?: readonly ExpectedRoot[];
  readonly exports?: readonly EventSource[];
  /** Number of events that the service had before it was asked for them: what these erase may not be shown. */
  readonly erasuresUpTo?: number;
  readonly decisions?: DecisionTable;
  readonly requests?: RequestRules;
  readonly sales: PaymentTermsTable;
  readonly purchases?: PaidCommandTable;
  readonly progress?: (events: number) => void;
}

export interface LogVerification {
  readonly events: number;
  readonly head: string | null;
  /** Lower-case hex. */
  readonly root: string;
  readonly claims: AuthorizationCounts;
  readonly decisions: DecisionCounts;
  readonly order: OrderCheck;
  readonly facts: AuditState;
  readonly findings: Findings;
}

/** Throws only if the source cannot be read. */
export async function verifyLog(source: EventSource, options: VerifyOptions): Promise<LogVerification> {
  const verifier = new LogVerifier(source, options);
  await verifier.examine(source);
  return verifier.finish();
}

/** Keeps the state of all checks, so that a later part of the log can be examined after an earlier one. */
export class LogVerifier {
  readonly findings = new Findings();
  readonly tree: TreeCheck;
  readonly facts: AuditState;
  private readonly signatures: SignatureCheck;
  readonly erased: ErasedValueCheck;
  readonly order = new OrderCheck(this.findings);
  private readonly decisions: DecisionCheck;
  private readonly checks: readonly Check[];
  head: string | null = null;

  constructor(
    source: Pick<EventSource, 'manifest' | 'digests'>,
    private readonly options: VerifyOptions,
  ) {
    const { findings } = this;
    const { requests = null } = options;
    this.facts = new AuditState(options.sales);
    this.tree = new TreeCheck(findings, expectedRoots(source, options), source.digests === 'own');
    this.signatures = new SignatureCheck(findings, options.second ?? false);
    this.decisions = new DecisionCheck(findings, this.facts, options.decisions ?? null);
    this.erased = new ErasedValueCheck(options.erasuresUpTo ?? 0, requests);
    this.checks = [
      this.erased,
      this.order,
      this.tree,
      this.signatures,
      new HiddenRequestCheck(findings, this.signatures.claims, requests),
      new RequestConsistencyCheck(findings, requests),
      new KeyCheck(findings),
      new NonceCheck(findings),
      new OriginCheck(findings, this.facts),
      new ShownValueCheck(findings),
      new TimeCheck(findings),
      new StaleCheck(findings),
      new DerivationCheck(findings, options.decisions ?? null),
      new BasisCheck(findings, this.facts),
      new CallerCheck(findings, this.facts, requests),
      new PurchaseCheck(findings, this.facts, options.purchases ?? new Map()),
      this.decisions,
      new PaidRequestCheck(findings, this.facts),
      new VoidPaymentCheck(findings, this.facts),
      new StateCheck(findings, this.facts),
      new UnsentEscrowCheck(findings, this.facts),
      new FollowUpCheck(findings, this.facts, options.decisions ?? null),
      ...keptExportChecks(options, findings),
    ];
  }

  async examine(source: Pick<EventSource, 'events'>): Promise<void> {
    for await (const shown of source.events(this.findings)) {
      const event = examine(shown, this.options.tag, this.findings);
      if (event) await runChecks(this.checks, event, this.findings);
      this.head = shown.position;
      this.options.progress?.(this.tree.size);
    }
  }

  async finish(): Promise<LogVerification> {
    for (const check of this.checks) await check.finish?.();
    const { tree, head, order, facts, findings } = this;
    const counts = { claims: this.signatures.claims, decisions: this.decisions.counts };
    return { events: tree.size, head, root: tree.root, ...counts, order, facts, findings };
  }
}

/** Returns null if members are missing or have a wrong type. */
export function examine(shown: PublicEvent, tag: string, findings: Findings): ExaminedEvent | null {
  if (isPublicEvent(shown)) return new LazyExaminedEvent(shown, tag);
  findings.add('source', 'This is not an event: members are missing or have a wrong type.', findingLocation(shown));
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

/** A broken event may make a check throw: report it and continue with the other checks. */
async function runChecks(checks: readonly Check[], event: ExaminedEvent, findings: Findings): Promise<void> {
  for (const check of checks) {
    try {
      const pending = check.examine(event);
      if (pending) await pending;
    } catch (error) {
      findings.add('source', `The event cannot be checked: ${(error as Error).message}`, event.shown);
    }
  }
}

function findingLocation(value: unknown): { readonly position?: string; readonly type?: string } {
  const { position, type } = Object(value) as { readonly [name: string]: unknown };
  return { ...(typeof position === 'string' && { position }), ...(typeof type === 'string' && { type }) };
}

function expectedRoots(
  { manifest: own }: Pick<EventSource, 'manifest'>,
  { checkpoints = [], exports = [] }: VerifyOptions,
): ExpectedRoot[] {
  return [
    ...(own ? [{ ...own, label: 'The manifest of the export' }] : []),
    ...checkpoints,
    ...exports.flatMap(({ manifest }) => (manifest ? [{ ...manifest, label: 'The kept export' }] : [])),
  ];
}

const keptExportChecks = ({ exports = [] }: VerifyOptions, findings: Findings) =>
  exports.map(source => new KeptExportCheck(findings, source.events(findings)[Symbol.asyncIterator]()));
