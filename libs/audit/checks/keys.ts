import type { Event, Revision } from '#libs/kernel/event.js';
import type { Findings } from '../findings.js';
import { AuthorizationRevisions } from './authorization-revisions.js';
import type { Check, ExaminedEvent } from './check.js';

interface MuseKey {
  readonly revision: Revision;
  readonly key: string | null;
}

interface SignedEvent {
  readonly shown: ExaminedEvent['shown'];
  readonly at: Revision | undefined;
}

/** Every signature is by the key that the muse had at the revision at which it was authorized. */
export class KeyCheck implements Check {
  private readonly keys = new Map<string, MuseKey[]>();
  /** Events of muses that are not registered yet: an identity is paid for before it is written. */
  private readonly authorizedAt = new AuthorizationRevisions();
  private readonly unregistered = new Map<string, SignedEvent[]>();

  constructor(private readonly findings: Findings) {}

  examine({ shown, opened }: ExaminedEvent): void {
    if (!opened) return;
    this.recordKey(opened);
    const signed = { shown, at: this.authorizedAt.revisionOf(shown) };
    if (opened.authorization.mode !== 'signature') return;
    if (this.keys.has(opened.actor)) this.checkKey(signed);
    else this.unregistered.set(opened.actor, [...(this.unregistered.get(opened.actor) ?? []), signed]);
  }

  private recordKey({ type, data, revision }: Event): void {
    if (type !== 'Registered' && type !== 'KeyBound') return;
    const { muse_id: muse, public_key: key } = data as { readonly muse_id: string; readonly public_key: string | null };
    this.keys.set(muse, [...(this.keys.get(muse) ?? []), { revision, key }]);
    for (const signed of this.unregistered.get(muse) ?? []) this.checkKey(signed);
    this.unregistered.delete(muse);
  }

  /** A request that makes its muse is signed with the key that this begins with. */
  private checkKey({ shown, at }: SignedEvent): void {
    const { actor } = shown;
    const key = keyOf(shown);
    const keys = this.keys.get(actor)!;
    const valid = keys.findLast(known => at !== undefined && known.revision <= at) ?? keys[0]!;
    if (valid.key === key) return;
    this.findings.add('signature', `It is signed with the key ${key}; that of ${actor} was ${valid.key} then.`, shown);
  }
}

const keyOf = ({ authorization }: ExaminedEvent['shown']) =>
  (authorization as { readonly public_key: string }).public_key;
