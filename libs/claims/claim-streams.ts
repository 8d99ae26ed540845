import { createHmac } from 'node:crypto';
import { Claim } from '#libs/domain/claim.js';
import type { KnownMuse, Muse } from '#libs/domain/muse.js';
import { isSiblingId } from '#libs/kernel/ids.js';
import { computeNameSkeletons } from '#libs/kernel/name-rules.js';

export type ClaimKind = 'name' | 'key' | 'wallet' | 'link' | 'purchase' | 'request';

/** A thing that is unique. */
export interface ClaimSubject<K extends ClaimKind = ClaimKind> {
  readonly kind: K;
  /** The thing itself, in the one form in which it is compared: how a name looks, an address in lower case. */
  readonly value: string;
}

/** What a payment claims: links are made without one. */
export type PaidKind = Exclude<ClaimKind, 'link'>;
export type PaidClaimSubject = ClaimSubject<PaidKind>;

/** What a muse claims with a name: every way in which it looks, so that nobody else has one that looks the same. */
export const listNameSubjects = (name: string): ClaimSubject<'name'>[] =>
  computeNameSkeletons(name).map(value => ({ kind: 'name', value }));

/**
 * What an earlier identity claims with its link: that of both, since each has one at most. In the same order whoever
 * links whom, so that of two at one moment one gets on.
 */
export const listLinkSubjects = (...museIds: readonly [earlier: string, to: string]): ClaimSubject<'link'>[] =>
  [...museIds].sort().map(value => ({ kind: 'link', value }));

/**
 * Names the streams of claims. The name is an HMAC of the thing, so that a guessed name, wallet or key cannot be looked
 * for in the log.
 */
export class ClaimStreams {
  /** `key` is a secret of the vault. */
  constructor(private readonly key: Uint8Array) {}

  of({ kind, value }: ClaimSubject): string {
    return Claim.streamName(kind, createHmac('sha256', this.key).update(value).digest('hex'));
  }

  /** The streams of everything that a muse holds by its state; the keys that it had before stay its own. */
  heldBy(muse: Muse): string[] {
    if (muse.status === 'unknown') return [];
    const things: ClaimSubject[] = isSiblingId(muse.muse_id) ? [] : listNameAndKeySubjects(muse);
    if (muse.wallet !== null) things.push({ kind: 'wallet', value: muse.wallet.toLowerCase() });
    if (muse.linkedTo !== null) things.push(...listLinkSubjects(muse.muse_id, muse.linkedTo));
    return things.map(thing => this.of(thing));
  }
}

/** What is unique here. Name and key of a sibling identity are unique on its own network, and claimed by nobody here. */
function listNameAndKeySubjects({ name, public_key, formerKeys }: KnownMuse): ClaimSubject[] {
  const keys = [...(public_key === null ? [] : [public_key]), ...[...formerKeys].map(([key]) => key)];
  return [
    ...(name === null ? [] : listNameSubjects(name)),
    ...keys.map((value): ClaimSubject => ({ kind: 'key', value })),
  ];
}
