import { type Event, isOfImport, type Position } from '#libs/kernel/event.js';
import { holderOf } from '#libs/features/public-events/views/public-events.js';
import { Erasures } from '#libs/audit/erasures.js';
import type { Findings } from '#libs/audit/findings.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import type { RequestRules } from '#libs/audit/request-rules.js';
import type { Check, ExaminedEvent } from './check.js';
import type { AuthorizationCounts } from './signatures.js';

interface UnprovenEvents {
  readonly count: number;
  readonly actor: string;
  readonly shown: PublicEvent;
}
type UnprovenGroups = Map<string, UnprovenEvents>;

const UNSIGNED_PROBLEM = 'It was stored without its signature, although its author was not erased.';

/**
 * Allows a missing signature only if its author or its text was erased, its request may be private, or another vault
 * holds it because the log was imported.
 */
export class HiddenRequestCheck implements Check {
  private readonly erasures = new Erasures();
  private authorsWithRequests = new Set<string>();
  private unsigned: UnprovenGroups = new Map();
  private readonly private: UnprovenGroups = new Map();
  private readonly clearable: UnprovenGroups = new Map();
  private readonly withheld: UnprovenGroups = new Map();

  constructor(
    private readonly findings: Findings,
    private readonly claims: AuthorizationCounts,
    private readonly requests: RequestRules | null,
  ) {}

  examine(event: ExaminedEvent): void {
    const { shown, opened } = event;
    if (!opened) return;
    this.erasures.record(opened);
    if (isOfImport(opened)) this.settleImport();
    if (opened.authorization.mode !== 'signature') return;
    const { sealed } = shown.authorization as { readonly sealed?: unknown };
    if (sealed === undefined) return;
    if (sealed === null) return addToGroup(this.unsigned, opened.actor, opened, shown);
    this.authorsWithRequests.add(opened.actor);
    if (isHidden(event)) this.groupHidden(opened.authorization.endpoint, opened, shown);
  }

  finish(): void {
    for (const group of this.unsigned.values()) this.reportUnsigned(group);
    for (const group of this.private.values()) this.count('private', group);
    for (const group of this.withheld.values()) this.count('withheld', group);
    for (const [holder, group] of this.clearable)
      this.count(this.wasCleared(holder, group.shown.position) ? 'private' : 'withheld', group);
  }

  /**
   * An import contains no request of another vault. An author with both stored and missing requests was therefore not
   * imported.
   */
  private settleImport(): void {
    for (const group of this.unsigned.values())
      if (this.authorsWithRequests.has(group.actor)) this.reportUnsigned(group);
      else this.claims.erased += group.count;
    this.unsigned = new Map();
    this.authorsWithRequests = new Set();
  }

  private groupHidden(endpoint: string, opened: Event, shown: PublicEvent): void {
    const holder = holderOf(shown);
    if (!this.requests || this.requests.canBePrivate(endpoint)) addToGroup(this.private, opened.actor, opened, shown);
    else if (holder === undefined) addToGroup(this.withheld, opened.actor, opened, shown);
    else addToGroup(this.clearable, holder, opened, shown);
  }

  private wasCleared(holder: string, position: Position): boolean {
    return Object.values(this.erasures.clearedIn(holder)).some(at => position < at);
  }

  /**
   * `withheld` is not a finding: a feed also hides requests with an extra private field, and values that are erased
   * during the audit.
   */
  private count(as: 'private' | 'withheld', { actor, count }: UnprovenEvents): void {
    this.claims[this.erasures.forgottenAt.has(actor) ? 'erased' : as] += count;
  }

  private reportUnsigned({ actor, count, shown }: UnprovenEvents): void {
    if (this.erasures.forgottenAt.has(actor)) this.claims.erased += count;
    else {
      const others = count > 1 ? ` ${count} events of ${actor} lack their signature.` : '';
      this.findings.add('signature', UNSIGNED_PROBLEM + others, shown);
    }
  }
}

/** Keeps the last event of a group: a value that was cleared after it was cleared after all of them. */
function addToGroup(groups: UnprovenGroups, key: string, { actor }: Event, shown: PublicEvent): void {
  groups.set(key, { actor, shown, count: (groups.get(key)?.count ?? 0) + 1 });
}

/** `SignatureCheck` reports messages that cannot be rebuilt. */
function isHidden(event: ExaminedEvent): boolean {
  try {
    return event.readSignature() === 'hidden';
  } catch {
    return false;
  }
}
