import type { Check, ExaminedEvent } from './checks/check.js';
import { AskedFor } from './checks/asked-for.js';
import { Basis } from './checks/basis.js';
import { type DecisionCounts, Decisions } from './checks/decisions.js';
import { EndedAccess, type OpenToSuspended } from './checks/ended-access.js';
import { HiddenRequests } from './checks/hidden-requests.js';
import { KeptEvents } from './checks/kept-events.js';
import { Keys } from './checks/keys.js';
import { Nonces } from './checks/nonces.js';
import { Order } from './checks/order.js';
import { ShownValues } from './checks/shown-values.js';
import { type Claims, Signatures } from './checks/signatures.js';
import { States } from './checks/states.js';
import { type KnownRoot, Tree } from './checks/tree.js';
import type { DecisionTable } from '#libs/endpoints/decision.js';
import type { SaleTable } from '#libs/endpoints/sale-terms.js';
import type { Event } from '#libs/kernel/event.js';
import { Findings } from './findings.js';
import { signatureOf } from './signatures.js';
import { isPrivate, isPublicEvent, openedEvent, type PublicEvent } from './public-event.js';
import type { Requests } from './requests.js';
import { Facts } from './rules/facts.js';
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
  readonly requests?: Requests;
  /** The paid endpoints; empty, payments are held against none of their terms. */
  readonly sales: SaleTable;
  readonly openToSuspended: OpenToSuspended;
  readonly progress?: (events: number) => void;
}

/** What an audit of the log alone has found. */
export interface Verified {
  readonly events: number;
  readonly head: string | null;
  /** Of the tree of all events, lower-case hex. */
  readonly root: string;
  readonly claims: Claims;
  readonly decisions: DecisionCounts;
  readonly order: Order;
  readonly facts: Facts;
  readonly findings: Findings;
}

/** Looks at every event of a source, in one pass. Only what is wrong with the source itself is thrown. */
export async function verifyLog(source: EventSource, options: VerifyOptions): Promise<Verified> {
  const findings = new Findings();
  const facts = new Facts(options.sales);
  const tree = new Tree(findings, knownRoots(source, options), source.digests === 'own');
  const signatures = new Signatures(findings, options.second ?? false);
  const order = new Order(findings);
  const decisions = new Decisions(findings, facts, options.decisions ?? null);
  const checks: Check[] = [
    order,
    tree,
    signatures,
    new HiddenRequests(findings, signatures.claims, options.requests ?? null),
    new AskedFor(findings, options.requests ?? null),
    new Keys(findings),
    new EndedAccess(findings, options.openToSuspended),
    new Nonces(findings),
    new ShownValues(findings),
    new Basis(findings, facts),
    decisions,
    new States(findings, facts),
    ...keptEvents(options, findings),
  ];
  let head: string | null = null;
  for await (const shown of source.events(findings)) {
    const event = examine(shown, options.tag, findings);
    if (event) await all(checks, event, findings);
    head = shown.position;
    options.progress?.(tree.size);
  }
  for (const check of checks) await check.end?.();
  const counts = { claims: signatures.claims, decisions: decisions.counts };
  return { events: tree.size, head, root: tree.root, ...counts, order, facts, findings };
}

/** The event, opened; null where it is so broken that nothing can be looked at. */
export function examine(shown: PublicEvent, tag: string, findings: Findings): ExaminedEvent | null {
  if (isPublicEvent(shown)) return new Examined(shown, tag);
  findings.add('source', 'It is no event: members are missing or are of another kind.', placeOf(shown));
  return null;
}

class Examined implements ExaminedEvent {
  readonly opened: Event | null;
  private found: ReturnType<typeof signatureOf> | undefined;

  constructor(
    readonly shown: PublicEvent,
    private readonly tag: string,
  ) {
    this.opened = isPrivate(shown) ? null : openedEvent(shown);
  }

  signed(): ReturnType<typeof signatureOf> {
    return (this.found ??= this.opened ? signatureOf(this.opened, this.tag) : 'hidden');
  }
}

/** A broken event may make a check stumble; that is a finding too, and the other checks go on. */
async function all(checks: readonly Check[], event: ExaminedEvent, findings: Findings): Promise<void> {
  for (const check of checks) {
    try {
      const taking = check.take(event);
      if (taking) await taking;
    } catch (error) {
      findings.add('source', `It cannot be looked at: ${(error as Error).message}`, event.shown);
    }
  }
}

function placeOf(value: unknown): { readonly position?: string; readonly type?: string } {
  const { position, type } = Object(value) as { readonly [name: string]: unknown };
  return { ...(typeof position === 'string' && { position }), ...(typeof type === 'string' && { type }) };
}

function knownRoots({ manifest }: EventSource, { checkpoints = [], exports = [] }: VerifyOptions): KnownRoot[] {
  return [
    ...(manifest ? [{ ...manifest, who: 'The manifest of the export' }] : []),
    ...checkpoints,
    ...exports.flatMap(kept => (kept.manifest ? [{ ...kept.manifest, who: 'The kept export' }] : [])),
  ];
}

const keptEvents = ({ exports = [] }: VerifyOptions, findings: Findings) =>
  exports.map(kept => new KeptEvents(findings, kept.events(findings)[Symbol.asyncIterator]()));
