import { createHmac } from 'node:crypto';
import type { Muse } from '#libs/domain/muse.js';
import { claimStream } from '#libs/events/streams.js';

export type ClaimKind = 'name' | 'key' | 'wallet' | 'purchase' | 'request';

/** A thing that is unique. */
export interface Thing {
  readonly kind: ClaimKind;
  /** The thing itself, in the one form in which it is compared: a folded name, an address in lower case. */
  readonly value: string;
}

/** Marks over or under a letter, and characters that nobody sees: with them names differ and look alike. */
const UNSEEN = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;

/** A name without regard to case, width and look-alike marks: NFKC, marks dropped, upper then lower case. */
export function foldName(name: string): string {
  const plain = name.normalize('NFKC').normalize('NFD').replace(UNSEEN, '').normalize('NFKC');
  return plain.toUpperCase().toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Names the streams of claims: an HMAC, so that a name leaves no trace to guess. */
export class ClaimStreams {
  /** `key` is the vault's `claim-key`. */
  constructor(private readonly key: Uint8Array) {}

  of({ kind, value }: Thing): string {
    return claimStream(kind, createHmac('sha256', this.key).update(value).digest('hex'));
  }

  /** The streams of everything that a muse holds by its state. */
  heldBy(muse: Muse): string[] {
    if (muse.status === 'unknown') return [];
    const things: Thing[] = [];
    if (muse.name !== null) things.push({ kind: 'name', value: foldName(muse.name) });
    if (muse.public_key !== null) things.push({ kind: 'key', value: muse.public_key });
    if (muse.wallet !== null) things.push({ kind: 'wallet', value: muse.wallet.toLowerCase() });
    return things.map(thing => this.of(thing));
  }
}
