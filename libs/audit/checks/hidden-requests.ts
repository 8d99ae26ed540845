import { IMPORT_CAUSE } from '#libs/kernel/causes.js';
import type { Event, Position } from '#libs/kernel/event.js';
import { holderOf } from '#libs/views/public-events/public-events.js';
import { type ClearedDocument, ClearedValues } from '#libs/views/cleared-values.js';
import type { Findings } from '../findings.js';
import type { PublicEvent } from '../public-event.js';
import type { RequestRules } from '../request-rules.js';
import type { Check, ExaminedEvent } from './check.js';
import type { AuthorizationCounts } from './signatures.js';

/** Events of one kind, of which one stands for all. */
interface UnprovenEvents {
  readonly count: number;
  readonly actor: string;
  readonly shown: PublicEvent;
}
type UnprovenGroups = Map<string, UnprovenEvents>;

const UNSIGNED_PROBLEM = 'It was written without the signature that it rests on, and its author was not erased.';

/**
 * Whether a signature is missing where it may be: its author was erased, its request may be private, what it says was cleared
 * or taken back, or another vault has it, whose log was imported.
 */
export class HiddenRequestCheck implements Check {
  private readonly forgotten = new Set<string>();
  private readonly cleared = new Map<string, ClearedDocument>();
  /** Whose requests the log holds, since the last import. */
  private held = new Set<string>();
  private unsigned: UnprovenGroups = new Map();
  private readonly private: UnprovenGroups = new Map();
  private readonly clearable: UnprovenGroups = new Map();
  private readonly withheld: UnprovenGroups = new Map();

  constructor(
    private readonly findings: Findings,
    private readonly claims: AuthorizationCounts,
    /** Null where nothing is known of requests: any may be private. */
    private readonly requests: RequestRules | null,
  ) {}

  examine(seen: ExaminedEvent): void {
    const { shown, opened } = seen;
    if (!opened) return;
    this.recordEvent(opened);
    if (opened.authorization.mode !== 'signature') return;
    const { sealed } = shown.authorization as { readonly sealed: unknown };
    if (sealed === null) return addToGroup(this.unsigned, opened.actor, opened, shown);
    this.held.add(opened.actor);
    if (isHidden(seen)) this.groupHidden(opened.authorization.endpoint, opened, shown);
  }

  finish(): void {
    for (const each of this.unsigned.values()) this.reportUnsigned(each);
    for (const each of this.private.values()) this.count('private', each);
    for (const each of this.withheld.values()) this.count('withheld', each);
    for (const [holder, each] of this.clearable)
      this.count(this.wasCleared(holder, each.shown.position) ? 'private' : 'withheld', each);
  }

  private recordEvent(event: Event): void {
    const { type, actor, cause, authorization } = event;
    if (type === 'Forgotten') this.forgotten.add(actor);
    if (cause === IMPORT_CAUSE && authorization.mode === 'operator') this.settleImport();
    if (!ClearedValues.types.includes(type)) return;
    for (const id of ClearedValues.keys(event))
      this.cleared.set(id, ClearedValues.evolve(this.cleared.get(id), event, id) ?? {});
  }

  /** Of what another vault has written an import holds no request at all: whoever has some, and misses one, was not imported. */
  private settleImport(): void {
    for (const each of this.unsigned.values())
      if (this.held.has(each.actor)) this.reportUnsigned(each);
      else this.claims.erased += each.count;
    this.unsigned = new Map();
    this.held = new Set();
  }

  private groupHidden(endpoint: string, opened: Event, shown: PublicEvent): void {
    const holder = holderOf(shown);
    if (!this.requests || this.requests.canBePrivate(endpoint)) addToGroup(this.private, opened.actor, opened, shown);
    else if (holder === undefined) addToGroup(this.withheld, opened.actor, opened, shown);
    else addToGroup(this.clearable, holder, opened, shown);
  }

  private wasCleared(holder: string, position: Position): boolean {
    return Object.values(this.cleared.get(holder) ?? {}).some(at => position < at);
  }

  /**
   * `withheld`: nothing that was read says why. A feed also hides a request in which somebody has sent a private field that
   * its endpoint does not take, and what was erased while it is read: so it is said, and is no finding.
   */
  private count(as: 'private' | 'withheld', { actor, count }: UnprovenEvents): void {
    this.claims[this.forgotten.has(actor) ? 'erased' : as] += count;
  }

  private reportUnsigned({ actor, count, shown }: UnprovenEvents): void {
    if (this.forgotten.has(actor)) this.claims.erased += count;
    else
      this.findings.add(
        'signature',
        count > 1 ? `${UNSIGNED_PROBLEM} It is one of ${count}.` : UNSIGNED_PROBLEM,
        shown,
      );
  }
}

/** The last one stands for all: what was cleared behind it was cleared behind all of them. */
function addToGroup(all: UnprovenGroups, key: string, { actor }: Event, shown: PublicEvent): void {
  all.set(key, { actor, shown, count: (all.get(key)?.count ?? 0) + 1 });
}

/** One that cannot be rebuilt is found elsewhere. */
function isHidden(seen: ExaminedEvent): boolean {
  try {
    return seen.readSignature() === 'hidden';
  } catch {
    return false;
  }
}
