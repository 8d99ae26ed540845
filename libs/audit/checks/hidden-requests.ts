import { type Event, isOfImport } from '#libs/kernel/event.js';
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

/** Events that show the fields of a holder (`holderOf`). */
interface ClearableEvents extends UnprovenEvents {
  readonly holder: string;
  readonly endpoint: string;
}

const UNSIGNED_PROBLEM = 'It was stored without its signature, although its author was not erased.';
const HIDDEN_PROBLEM =
  'Its signature is not shown, although its request knows no private field and nothing of it was erased.';

/**
 * Allows a missing signature only if its author or its text was erased, its request may be private, or another vault
 * holds it because the log was imported.
 */
export class HiddenRequestCheck implements Check {
  private readonly erasures = new Erasures();
  private authorsWithRequests = new Set<string>();
  private unsigned: UnprovenGroups = new Map();
  private readonly private: UnprovenGroups = new Map();
  private readonly clearable = new Map<string, ClearableEvents>();
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
    if (sealed === null) return void addToGroup(this.unsigned, opened.actor, opened, shown);
    this.authorsWithRequests.add(opened.actor);
    if (isHidden(event)) this.groupHidden(opened.authorization.endpoint, opened, shown);
  }

  finish(): void {
    for (const group of this.unsigned.values()) this.report(UNSIGNED_PROBLEM, group);
    for (const group of this.private.values()) this.count('private', group);
    for (const group of this.withheld.values()) this.report(HIDDEN_PROBLEM, group);
    for (const group of this.clearable.values())
      if (this.wasCleared(group)) this.count('private', group);
      else this.report(HIDDEN_PROBLEM, group);
  }

  /**
   * An import contains no request of another vault. An author with both stored and missing requests was therefore not
   * imported.
   */
  private settleImport(): void {
    for (const group of this.unsigned.values())
      if (this.authorsWithRequests.has(group.actor)) this.report(UNSIGNED_PROBLEM, group);
      else this.claims.erased += group.count;
    this.unsigned = new Map();
    this.authorsWithRequests = new Set();
  }

  private groupHidden(endpoint: string, opened: Event, shown: PublicEvent): void {
    const holder = holderOf(shown);
    if (!this.requests || this.requests.canBePrivate(endpoint)) addToGroup(this.private, opened.actor, opened, shown);
    else if (holder === undefined) addToGroup(this.withheld, opened.actor, opened, shown);
    else {
      const key = `${holder}/${endpoint}`;
      this.clearable.set(key, { ...grow(this.clearable.get(key), opened, shown), holder, endpoint });
    }
  }

  /** A value that was cleared after the last event of the group was cleared after all of them. */
  private wasCleared({ holder, endpoint, shown }: ClearableEvents): boolean {
    const fields = this.requests?.fieldsOf(endpoint);
    const cleared = Object.entries(this.erasures.clearedIn(holder));
    return cleared.some(([name, at]) => shown.position < at && (!fields || fields.has(name)));
  }

  private count(as: 'private' | 'withheld', { actor, count }: UnprovenEvents): void {
    this.claims[this.erasures.forgottenAt.has(actor) ? 'erased' : as] += count;
  }

  private report(problem: string, group: UnprovenEvents): void {
    const { actor, count, shown } = group;
    this.count('withheld', group);
    if (this.erasures.forgottenAt.has(actor)) return;
    const others = count > 1 ? ` ${count} events of ${actor} lack their signature.` : '';
    this.findings.add('withheld', problem + others, shown);
  }
}

const addToGroup = (groups: UnprovenGroups, key: string, opened: Event, shown: PublicEvent) =>
  groups.set(key, grow(groups.get(key), opened, shown));

/** Keeps the last event of a group. */
const grow = (group: UnprovenEvents | undefined, { actor }: Event, shown: PublicEvent): UnprovenEvents => ({
  actor,
  shown,
  count: (group?.count ?? 0) + 1,
});

/** `SignatureCheck` reports messages that cannot be rebuilt. */
function isHidden(event: ExaminedEvent): boolean {
  try {
    return event.readSignature() === 'hidden';
  } catch {
    return false;
  }
}
