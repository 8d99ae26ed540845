import type { Event, Revision } from '#libs/kernel/event.js';
import { RECOVERY_ENDPOINT, RECOVERY_MEMORY_MS } from '#libs/domain/recovery.js';
import type { Findings } from '#libs/audit/findings.js';
import { AuthorizationRevisions } from './authorization-revisions.js';
import type { Check, ExaminedEvent } from './check.js';

interface MuseKey {
  readonly revision: Revision;
  readonly key: string | null;
}

interface RecoveryKeyTerm {
  readonly key: string;
  readonly from: Revision;
  readonly end: Pick<Event, 'at' | 'revision'> | null;
}

interface SignedEvent {
  readonly shown: ExaminedEvent['shown'];
  readonly at: Revision | undefined;
}

export class KeyCheck implements Check {
  private readonly keys = new Map<string, MuseKey[]>();
  private readonly recoveryKeys = new Map<string, RecoveryKeyTerm[]>();
  /** An identity is paid for before it is registered. */
  private readonly authorizedAt = new AuthorizationRevisions();
  private readonly unregisteredActors = new Map<string, SignedEvent[]>();

  constructor(private readonly findings: Findings) {}

  examine({ shown, opened }: ExaminedEvent): void {
    if (!opened) return;
    this.recordKey(opened);
    this.recordRecoveryKey(opened);
    const signed = { shown, at: this.authorizedAt.revisionOf(shown) };
    if (opened.authorization.mode !== 'signature') return;
    if (opened.authorization.endpoint === RECOVERY_ENDPOINT) this.checkRecoveryKey(signed);
    else if (this.keys.has(opened.actor)) this.checkKey(signed);
    else this.unregisteredActors.set(opened.actor, [...(this.unregisteredActors.get(opened.actor) ?? []), signed]);
  }

  private recordKey({ type, data, revision }: Event): void {
    if (type !== 'Registered' && type !== 'KeyBound') return;
    const { muse_id: muse, public_key: key } = data as { readonly muse_id: string; readonly public_key: string | null };
    this.keys.set(muse, [...(this.keys.get(muse) ?? []), { revision, key }]);
    for (const signed of this.unregisteredActors.get(muse) ?? []) this.checkKey(signed);
    this.unregisteredActors.delete(muse);
  }

  private recordRecoveryKey(event: Event): void {
    const { type, data, revision } = event;
    if (type !== 'RecoveryKeyNamed' && type !== 'RecoveryKeyRemoved') return;
    const { muse_id: muse, public_key: key } = data as { readonly muse_id: string; readonly public_key: string };
    const terms = (this.recoveryKeys.get(muse) ?? []).map(term => (term.end ? term : { ...term, end: event }));
    const named = type === 'RecoveryKeyNamed' ? [{ key, from: revision, end: null }] : [];
    this.recoveryKeys.set(muse, [...terms, ...named]);
  }

  /** A recovery key that ended before the request may sign for 30 days. */
  private checkRecoveryKey({ shown, at: seen }: SignedEvent): void {
    const { actor, at } = shown;
    const key = keyOf(shown);
    const isUsable = ({ end }: RecoveryKeyTerm) =>
      end === null || end.revision > seen! || at < end.at + RECOVERY_MEMORY_MS;
    const terms = seen === undefined ? [] : (this.recoveryKeys.get(actor) ?? []);
    if (terms.some(term => term.key === key && term.from <= seen! && isUsable(term))) return;
    const sentence = `It is signed with the key ${key}, which was no recovery key of ${actor} at that time.`;
    this.findings.add('signature', sentence, shown);
  }

  /** A request that creates its muse is signed with the muse's first key. */
  private checkKey({ shown, at }: SignedEvent): void {
    const { actor } = shown;
    const key = keyOf(shown);
    const keys = this.keys.get(actor)!;
    const valid = keys.findLast(({ revision }) => at !== undefined && revision <= at) ?? keys[0]!;
    if (valid.key === key) return;
    const sentence = `It is signed with the key ${key}, but the key of ${actor} was ${valid.key} at that time.`;
    this.findings.add('signature', sentence, shown);
  }
}

const keyOf = ({ authorization }: ExaminedEvent['shown']) =>
  (authorization as { readonly public_key: string }).public_key;
