import type { RequestFields } from '#libs/kernel/event.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import { Refusal } from '#libs/kernel/refusal.js';
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
  `This token has the scope \`${scope}\`${spend === null ? '' : ` and may spend ${formatUsdAmount(spend)} USD a day`}`;

export const scopeRefusal = (limits: TokenLimits, field?: string) =>
  new Refusal(
    'scope',
    `${describeLimits(limits)}. Its owner has to ${field === undefined ? 'do this' : `set \`${field}\``}.`,
    field === undefined ? {} : { field },
  );

/** Throws 403 `scope` for what the limits of a token exclude. `sent` is null if the fields of the request are hidden. */
export function assertInScope(scope: EndpointScope, limits: TokenLimits | null, sent: RequestFields | null): void {
  if (limits === null) return;
  const rank = limits.scope === 'all' && limits.spend === null ? RANKS.owner : RANKS[limits.scope];
  if (rank < RANKS[scope]) throw scopeRefusal(limits);
  const field = OWNER_FIELDS.find(name => sent !== null && Object.hasOwn(sent, name));
  if (field !== undefined && limits.scope !== 'all') throw scopeRefusal(limits, field);
}
