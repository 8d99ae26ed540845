import { createHmac } from 'node:crypto';
import { Claim } from '#libs/domain/claim.js';
import { isReservedAt } from '#libs/domain/former-names.js';
import { recoveryOf } from '#libs/domain/recovery.js';
import type { KnownMuse, Muse } from '#libs/domain/muse.js';
import { isSiblingId } from '#libs/kernel/ids.js';
import { computeNameSkeletons } from '#libs/kernel/name-rules.js';

export type ClaimKind = 'name' | 'key' | 'wallet' | 'link' | 'purchase' | 'request';

export interface ClaimSubject<K extends ClaimKind = ClaimKind> {
  readonly kind: K;
  /** Normalized value: a name's skeleton, an address in lower case. */
  readonly value: string;
  /** Stream of the only muse that can claim it. All subjects of one scope share a stream. */
  readonly scope?: string | undefined;
}

export type PaidKind = Exclude<ClaimKind, 'link'>;
export type PaidClaimSubject = ClaimSubject<PaidKind>;

export const listNameSubjects = (name: string): ClaimSubject<'name'>[] =>
  computeNameSkeletons(name).map(value => ({ kind: 'name', value }));

/**
 * Both identities are claimed, since each has at most one link. The fixed order prevents a deadlock between two
 * opposite links.
 */
export const listLinkSubjects = (...museIds: readonly [earlier: string, to: string]): ClaimSubject<'link'>[] =>
  [...museIds].sort().map(value => ({ kind: 'link', value }));

/** Derives stream names by HMAC, so that a guessed name, wallet or key cannot be searched for in the log. */
export class ClaimStreams {
  constructor(private readonly key: Uint8Array) {}

  of({ kind, value, scope }: ClaimSubject): string {
    return scope === undefined ? Claim.streamName(kind, this.hmac(value)) : Claim.streamName('muse', this.hmac(scope));
  }

  /** Names a subject in the stream of its scope; empty if the stream has only this one. */
  nameInStream({ kind, value, scope }: ClaimSubject): string {
    return scope === undefined ? '' : `${kind}-${this.hmac(value)}`;
  }

  /** Streams of the things that a muse holds at `at` (unix ms), reserved former names included. */
  heldBy(muse: Muse, at: number): string[] {
    if (muse.status === 'unknown') return [];
    const subjects: ClaimSubject[] = isSiblingId(muse.muse_id) ? [] : listNameAndKeySubjects(muse, at);
    if (muse.wallet !== null) subjects.push({ kind: 'wallet', value: muse.wallet.toLowerCase() });
    if (muse.linkedTo !== null) subjects.push(...listLinkSubjects(muse.muse_id, muse.linkedTo));
    return subjects.map(subject => this.of(subject));
  }

  private hmac(value: string): string {
    return createHmac('sha256', this.key).update(value).digest('hex');
  }
}

/** Names and keys of a sibling identity are unique on its own network only and are not claimed here. */
function listNameAndKeySubjects(muse: KnownMuse, at: number): ClaimSubject[] {
  const { name, formerNames, public_key, formerKeys } = muse;
  const reserved = formerNames.filter(former => isReservedAt(former, at)).map(former => former.name);
  const names = name === null ? reserved : [name, ...reserved];
  const recovered = recoveryOf(muse).started.map(each => each.public_key);
  const keys = [...(public_key === null ? [] : [public_key]), ...[...formerKeys].map(([key]) => key), ...recovered];
  return [...names.flatMap(listNameSubjects), ...keys.map((value): ClaimSubject => ({ kind: 'key', value }))];
}
