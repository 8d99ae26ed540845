import type { Revision } from '#libs/kernel/event.js';
import { PersistentMap } from '#libs/kernel/persistent-map.js';

const ROTATIONS_MAX = 20;

interface TokenRotation {
  readonly hash: string;
  readonly at: number;
}

type AccessEndReason = 'suspended' | 'key_changed' | 'tokens_revoked';

export interface Access {
  readonly public_key: string | null;
  /** Unix ms at which a token expires, by its sha256. */
  readonly tokens: PersistentMap<string, number>;
  readonly issued: PersistentMap<string, Revision>;
  readonly rotations: readonly TokenRotation[];
  /** Replaced keys, which no muse can use again. */
  readonly formerKeys: PersistentMap<string, true>;
  /** Revision of the last key replacement; -1 without one. */
  readonly keyReplacedAt: Revision;
  /** The last time that access ended, which also ended webhooks set up before; null if it never did. */
  readonly accessEnded: { readonly revision: Revision; readonly reason: AccessEndReason } | null;
}

export const NO_ACCESS: Access = {
  public_key: null,
  tokens: PersistentMap.empty<string, number>(),
  issued: PersistentMap.empty<string, Revision>(),
  rotations: [],
  formerKeys: PersistentMap.empty<string, true>(),
  keyReplacedAt: -1,
  accessEnded: null,
};

interface StreamPoint {
  readonly at: number;
  readonly revision: Revision;
}

export const createAccessEnd = (reason: AccessEndReason, { revision }: Pick<StreamPoint, 'revision'>) => ({
  revision,
  reason,
});

interface TokenRevocation extends StreamPoint {
  readonly data: { readonly hashes: readonly string[]; readonly replaced_by?: string };
}

interface TokenIssue extends StreamPoint {
  readonly data: { readonly hash: string; readonly expires_at: number };
}

export const addToken = ({ tokens, issued }: Access, { data: { hash, expires_at }, revision }: TokenIssue) => ({
  tokens: tokens.with(hash, expires_at),
  issued: issued.with(hash, revision),
});

/** When at most the replacing token remains, everything set up with the old tokens ends too. */
export function removeTokens({ tokens, issued: previous, rotations, accessEnded }: Access, event: TokenRevocation) {
  const { hashes, replaced_by } = event.data;
  const remaining = hashes.reduce((rest, hash) => rest.without(hash), tokens);
  const issued = hashes.reduce((rest, hash) => rest.without(hash), previous);
  if (replaced_by === undefined) {
    const ended = remaining.size <= 1 ? createAccessEnd('tokens_revoked', event) : accessEnded;
    return { tokens: remaining, issued, rotations: [], accessEnded: ended };
  }
  const exchanged = hashes.map(hash => ({ hash, at: event.at }));
  return { tokens: remaining, issued, rotations: [...rotations, ...exchanged].slice(-ROTATIONS_MAX) };
}

interface KeyBinding extends StreamPoint {
  readonly data: { readonly public_key: string };
}

export function replaceKey({ public_key, formerKeys, keyReplacedAt, accessEnded }: Access, event: KeyBinding) {
  const next = event.data.public_key;
  if (public_key === null) return { public_key: next, formerKeys, keyReplacedAt, accessEnded };
  return {
    public_key: next,
    formerKeys: formerKeys.with(public_key, true).without(next),
    keyReplacedAt: event.revision,
    accessEnded: createAccessEnd('key_changed', event),
  };
}
