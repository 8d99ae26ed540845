import type { RequestFields } from '#libs/kernel/event.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import { Refusal, type RefusalDetails } from '#libs/kernel/refusal.js';
import type { SpendingLimit } from '#libs/kernel/decide.js';
import type { TokenLimits } from './muse-access.js';
import { isKnownMuse, type Muse } from './muse.js';

export const TOKEN_SCOPES = ['all', 'work', 'read'] as const;

/**
 * Least scope of a token that may call an endpoint; any signed request may. `owner`: a token of scope `all` without a
 * sum of money.
 */
export type EndpointScope = (typeof TOKEN_SCOPES)[number] | 'owner';

const RANKS: Readonly<Record<EndpointScope, number>> = { read: 0, work: 1, all: 2, owner: 3 };

/** Fields that decide where the money of an agent goes. Only a token of scope `all` may send them. */
const OWNER_FIELDS = ['payout_address', 'lightning_address'];

/** Returns the limits of a bearer token by its hash prefix; null for a signed request, or a token without limits. */
export function findTokenLimits(muse: Muse, tokenHint: string | null): TokenLimits | null {
  if (tokenHint === null || !isKnownMuse(muse) || !muse.tokenLimits) return null;
  return [...muse.tokenLimits].find(([hash]) => hash.startsWith(tokenHint))?.[1] ?? null;
}

const describeLimits = ({ scope, spend }: TokenLimits) =>
  `This token has the scope \`${scope}\`${spend === null ? '' : ` and may spend ${formatUsdAmount(BigInt(spend))} USD a day`}`;

/** A refused command, which the owner of the token can do. */
export interface OwnerRequest {
  readonly muse_id: string;
  readonly account: string;
  readonly command: string;
  /** Price beyond the daily sum; null for a scope. */
  readonly usd: string | null;
}

/** A refusal that the owner of the token hears of. */
export class OwnerRefusal extends Refusal {
  constructor(
    code: 'scope' | 'over_limit',
    message: string,
    details: RefusalDetails,
    readonly request: OwnerRequest,
  ) {
    super(code, message, details);
  }
}

export function scopeRefusal(limits: TokenLimits, muse_id: string, command: string, field?: string): OwnerRefusal {
  const message = `${describeLimits(limits)}. Its owner has to ${field === undefined ? 'do this' : `set \`${field}\``}.`;
  const request = { muse_id, account: limits.account, command, usd: null };
  return new OwnerRefusal('scope', message, field === undefined ? {} : { field }, request);
}

interface ScopedCall {
  readonly muse_id: string;
  readonly endpoint: string;
  readonly scope: EndpointScope;
  /** Null if the fields of the request are hidden. */
  readonly sent: RequestFields | null;
}

/** Throws 403 `scope` for what the limits of a token exclude. */
export function assertInScope({ muse_id, endpoint, scope, sent }: ScopedCall, limits: TokenLimits | null): void {
  if (limits === null) return;
  const rank = limits.scope === 'all' && limits.spend === null ? RANKS.owner : RANKS[limits.scope];
  if (rank < RANKS[scope]) throw scopeRefusal(limits, muse_id, endpoint);
  const field = OWNER_FIELDS.find(name => sent !== null && Object.hasOwn(sent, name));
  if (field !== undefined && limits.scope !== 'all') throw scopeRefusal(limits, muse_id, endpoint, field);
}

/** Undefined for a token without a daily sum. */
export const spendingLimitOf = (limits: TokenLimits | null): SpendingLimit | undefined =>
  limits === null || limits.spend === null ? undefined : { account: limits.account, limit: limits.spend };
