import type { Revision } from '#libs/kernel/event.js';
import { PersistentMap } from '#libs/kernel/persistent-map.js';

/** How many exchanges of tokens are remembered, the newest. */
const ROTATIONS_MAX = 20;

/** A token that was exchanged for another, by its sha256, and when, unix ms. */
export interface TokenRotation {
  readonly hash: string;
  readonly at: number;
}

/** Why what was set up with a muse's earlier keys and tokens has ended. */
export type AccessEndReason = 'suspended' | 'key_changed' | 'tokens_revoked';

/** With what a muse acts, and until when it acted with others. */
export interface Access {
  readonly public_key: string | null;
  /** Unix ms at which a token ends, by the token's sha256. */
  readonly tokens: PersistentMap<string, number>;
  /** The revision of the stream at which each of them was issued. */
  readonly issued: PersistentMap<string, Revision>;
  /** The tokens that were exchanged since tokens ended otherwise. */
  readonly rotations: readonly TokenRotation[];
  /** Keys that it signed with before: they are never taken again, by nobody. */
  readonly formerKeys: PersistentMap<string, true>;
  /** The revision of the stream at which a key was replaced last; -1 where none was. */
  readonly keyReplacedAt: Revision;
  /** Where in the stream what was set up before, its webhooks, has ended last; null where nothing has. */
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

/** Where all tokens end but the one that takes their place, whatever was set up with one of them ends too. */
export function removeTokens({ tokens, issued: all, rotations, accessEnded }: Access, event: TokenRevocation) {
  const { hashes, replaced_by } = event.data;
  const left = hashes.reduce((rest, hash) => rest.without(hash), tokens);
  const issued = hashes.reduce((rest, hash) => rest.without(hash), all);
  if (replaced_by === undefined) {
    const ended = left.size <= 1 ? createAccessEnd('tokens_revoked', event) : accessEnded;
    return { tokens: left, issued, rotations: [], accessEnded: ended };
  }
  const exchanged = hashes.map(hash => ({ hash, at: event.at }));
  return { tokens: left, issued, rotations: [...rotations, ...exchanged].slice(-ROTATIONS_MAX) };
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
