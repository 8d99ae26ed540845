import type { Checkpoint } from '#libs/signing/signed-note.js';
import type { Check, Seen } from './checks/check.js';
import { Keys } from './checks/keys.js';
import { Nonces } from './checks/nonces.js';
import { Order } from './checks/order.js';
import { ShownValues } from './checks/shown-values.js';
import { type Claims, Signatures } from './checks/signatures.js';
import { States } from './checks/states.js';
import { type KnownRoot, Tree } from './checks/tree.js';
import { Findings } from './findings.js';
import { isPrivate, isPublicEvent, openedEvent, type PublicEvent } from './public-event.js';
import { Facts } from './rules/facts.js';
import type { EventSource } from './sources/source.js';

export interface VerifyOptions {
  /** First line of signed messages. */
  readonly tag: string;
  /** Whether every signature is verified by a second implementation too. */
  readonly second?: boolean;
  /** A checkpoint that somebody kept. Whether it is signed by the issuer is the caller's to ask. */
  readonly checkpoint?: Checkpoint;
  readonly progress?: (events: number) => void;
}

/** What an audit of the log alone has found. */
export interface Verified {
  readonly events: number;
  readonly head: string | null;
  /** Of the tree of all events, lower-case hex. */
  readonly root: string;
  readonly claims: Claims;
  readonly order: Order;
  readonly facts: Facts;
  readonly findings: Findings;
}

/** Looks at every event of a source, in one pass. Only what is wrong with the source itself is thrown. */
export async function verifyLog(source: EventSource, options: VerifyOptions): Promise<Verified> {
  const findings = new Findings();
  const facts = new Facts();
  const tree = new Tree(findings, knownRoots(source, options));
  const signatures = new Signatures(findings, options.tag, options.second ?? false);
  const order = new Order(findings);
  const checks: Check[] = [
    ...[order, tree, signatures, new Keys(findings), new Nonces(findings, options.tag)],
    ...[new ShownValues(findings), new States(findings, facts)],
  ];
  let head: string | null = null;
  for await (const shown of source.events(findings)) {
    const seen = look(shown, findings);
    if (seen) await all(checks, seen, findings);
    head = shown.position;
    options.progress?.(tree.size);
  }
  for (const check of checks) await check.end?.();
  return { events: tree.size, head, root: tree.root, claims: signatures.claims, order, facts, findings };
}

/** The event, opened; null where it is so broken that nothing can be looked at. */
function look(shown: PublicEvent, findings: Findings): Seen | null {
  if (isPublicEvent(shown)) return { shown, opened: isPrivate(shown) ? null : openedEvent(shown) };
  findings.add('source', 'It is no event: members are missing or are of another kind.', placeOf(shown));
  return null;
}

/** A broken event may make a check stumble; that is a finding too, and the other checks go on. */
async function all(checks: readonly Check[], seen: Seen, findings: Findings): Promise<void> {
  for (const check of checks) {
    try {
      await check.take(seen);
    } catch (error) {
      findings.add('source', `It cannot be looked at: ${(error as Error).message}`, seen.shown);
    }
  }
}

function placeOf(value: unknown): { readonly position?: string; readonly type?: string } {
  const { position, type } = Object(value) as { readonly [name: string]: unknown };
  return { ...(typeof position === 'string' && { position }), ...(typeof type === 'string' && { type }) };
}

function knownRoots({ manifest }: EventSource, { checkpoint }: VerifyOptions): KnownRoot[] {
  return [
    ...(manifest ? [{ ...manifest, who: 'The manifest of the export' }] : []),
    ...(checkpoint ? [{ ...checkpoint, who: 'The kept checkpoint' }] : []),
  ];
}
