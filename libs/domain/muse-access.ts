import { type Revision, TOKEN_HINT_CHARACTERS } from '#libs/kernel/event.js';
import { PersistentMap } from '#libs/kernel/persistent-map.js';

const ROTATIONS_MAX = 20;

interface TokenRotation {
  readonly hash: string;
  readonly at: number;
}

/** Limits that an owner sets on a token. */
export interface TokenLimits {
  readonly scope: 'all' | 'work' | 'read';
  /** Smallest units of money that it may spend in 24 hours; null without a limit. */
  readonly spend: string | null;
  /** Hash prefix of the first token. A token that replaces another one continues its account. */
  readonly account: string;
}

type AccessEndReason = 'suspended' | 'key_changed' | 'tokens_revoked';

export interface Access {
  readonly public_key: string | null;
  /** Unix ms at which a token expires, by its sha256. */
  readonly tokens: PersistentMap<string, number>;
  readonly issued: PersistentMap<string, Revision>;
  /** Limits of the tokens that have any, by sha256; absent if no token ever had. */
  readonly tokenLimits?: PersistentMap<string, TokenLimits>;
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
  readonly data: { readonly hashes: readonly string[]; readonly replaced_by?: string; readonly by_itself?: boolean };
}

interface TokenIssue extends StreamPoint {
  readonly data: {
    readonly hash: string;
    readonly expires_at: number;
    readonly scope?: 'work' | 'read';
    readonly spend_a_day?: string;
    readonly replaces?: string;
  };
}

export const addToken = ({ tokens, issued, tokenLimits }: Access, { data, revision }: TokenIssue) => ({
  tokens: tokens.with(data.hash, data.expires_at),
  issued: issued.with(data.hash, revision),
  ...addLimits(tokenLimits, data),
});

function addLimits(
  limits = PersistentMap.empty<string, TokenLimits>(),
  { hash, scope, spend_a_day, replaces }: TokenIssue['data'],
) {
  if (scope === undefined && spend_a_day === undefined) return {};
  const account = (replaces && limits.get(replaces)?.account) ?? hash.slice(0, TOKEN_HINT_CHARACTERS);
  return { tokenLimits: limits.with(hash, { scope: scope ?? 'all', spend: spend_a_day ?? null, account }) };
}

/** When at most the replacing token remains, everything set up with the old tokens ends too. */
export function removeTokens(access: Access, event: TokenRevocation) {
  const { tokens, issued: previous, rotations, accessEnded } = access;
  const { hashes, replaced_by, by_itself = false } = event.data;
  const remaining = hashes.reduce((rest, hash) => rest.without(hash), tokens);
  const issued = hashes.reduce((rest, hash) => rest.without(hash), previous);
  const limits = access.tokenLimits && {
    tokenLimits: hashes.reduce((rest, hash) => rest.without(hash), access.tokenLimits),
  };
  if (by_itself) return { tokens: remaining, issued, ...limits };
  if (replaced_by === undefined) {
    const ended = remaining.size <= 1 ? createAccessEnd('tokens_revoked', event) : accessEnded;
    return { tokens: remaining, issued, ...limits, rotations: [], accessEnded: ended };
  }
  const exchanged = hashes.map(hash => ({ hash, at: event.at }));
  return { tokens: remaining, issued, ...limits, rotations: [...rotations, ...exchanged].slice(-ROTATIONS_MAX) };
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
