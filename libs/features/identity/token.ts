import { c, defineCommand, needed, optional, w } from '#libs/endpoints/declare.js';
import { notInEvents } from '#libs/endpoints/decision.js';
import { TokenMint } from '#libs/http/authentication/bearer-tokens.js';
import { formatUsdAmount, parseUsdAmount } from '#libs/kernel/money.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { listSurplusTokens, listTokenHashes, revokeAllTokens, TOKENS_MAX } from '#libs/domain/access-ends.js';
import type { TokenLimits } from '#libs/domain/muse-access.js';
import { findTokenLimits, scopeRefusal, TOKEN_SCOPES } from '#libs/domain/token-scope.js';
import { isEventOf } from '#libs/domain/define.js';
import { Muse, TokenIssued, TokenRevoked } from '#libs/domain/muse.js';
import { assertPresent } from './domain/muse-rules.js';
import { newTokenContext, TOKEN_ANSWER, issuedTokenIn } from './new-token.js';

const listLimits = ({
  scope = 'all',
  spend,
}: { readonly scope?: TokenLimits['scope'] | undefined } & Pick<TokenLimits, 'spend'>) => ({
  ...(scope !== 'all' && { scope }),
  ...(spend !== null && { spend_a_day: spend }),
});

const spendOf = (usd: string | undefined) => (usd === undefined ? null : String(parseUsdAmount(usd)));

/** A token of any scope may end itself, so the decision refuses the rest. */
export const token = defineCommand('token', {
  scope: 'read',
  who: 'known',
  secret: true,
  fields: {
    action: needed(
      c.oneOf('rotate', 'revoke', 'issue'),
      '`rotate` replaces your token, `revoke` ends all of them, `issue` creates one',
    ),
    scope: optional(
      c.oneOf(...TOKEN_SCOPES),
      'With `issue`, what the token may do: `all` (the default), `work` (nothing that changes who you are or where ' +
        'your money goes), or `read`',
    ),
    spend_usd_a_day: optional(
      c.pattern(/^[0-9]{1,12}(\.[0-9]{1,6})?$/, 'a decimal number with at most 6 places'),
      'With `issue`, what the token may spend in any 24 hours, in US dollars; no limit by default',
    ),
  },
  uses: { tokens: TokenMint },
  events: [TokenIssued, TokenRevoked],
  decidesEach: true,
  fieldsFromEvent({ type, data }, isFirst) {
    // Tokens that end after a new one may be the surplus ones of `issue`, or all of `rotate`.
    if (type === TokenRevoked.type) return isFirst ? { action: 'revoke' as const } : notInEvents();
    const { scope, spend_a_day, replaces } = data;
    if (replaces !== undefined) return { action: 'rotate' as const };
    const spend_usd_a_day = spend_a_day && formatUsdAmount(BigInt(spend_a_day));
    return { action: 'issue' as const, scope, spend_usd_a_day };
  },
  writes: (_fields, { actor }) => Muse.source(actor),
  given: newTokenContext,
  decide(muse, { action, scope, spend_usd_a_day }, _context, _reads, { issued, requestTokenHint }) {
    assertPresent(muse);
    fieldRule(action === 'issue' || scope === undefined, 'scope', 'Only `issue` takes a `scope`.', 'not_allowed');
    const takesSum = action === 'issue' || spend_usd_a_day === undefined;
    fieldRule(takesSum, 'spend_usd_a_day', 'Only `issue` takes a `spend_usd_a_day`.', 'not_allowed');
    const { muse_id } = muse;
    const limits = findTokenLimits(muse, requestTokenHint);
    const own = listTokenHashes(muse).find(hash => requestTokenHint !== null && hash.startsWith(requestTokenHint));
    const issue = (added: object = {}) => TokenIssued({ muse_id, ...issued, ...added });
    const revoke = (hashes: string[], replaced_by?: string) =>
      hashes.length === 0 ? [] : [TokenRevoked({ muse_id, hashes, ...(replaced_by && { replaced_by }) })];
    switch (action) {
      case 'revoke':
        if (limits && own !== undefined) return [TokenRevoked({ muse_id, hashes: [own], by_itself: true })];
        // Also written without tokens, because it stops the webhooks.
        return [TokenRevoked({ muse_id, hashes: listTokenHashes(muse) })];
      case 'issue':
        if (limits) throw scopeRefusal(limits, muse_id, 'token');
        return [issue(listLimits({ scope, spend: spendOf(spend_usd_a_day) })), ...revoke(listSurplusTokens(muse))];
      case 'rotate':
        if (limits && limits.spend === null) throw scopeRefusal(limits, muse_id, 'token');
        if (own === undefined) return [issue(), ...revokeAllTokens(muse)];
        return [issue({ ...(limits && listLimits(limits)), replaces: own }), ...revoke([own], issued.hash)];
    }
  },
  answer: w.object({ ...TOKEN_ANSWER, revoked: w.rarelyPresent(w.flag(true, 'Whether any token was revoked')) }),
  reply: ({ fields: { action }, events, given }) => ({
    ...issuedTokenIn(events, given),
    ...(action !== 'issue' && {
      revoked: events.some(event => isEventOf(TokenRevoked, event) && event.data.hashes.length > 0),
    }),
  }),
  errors: ['scope'],
  doc: {
    tag: 'Identity',
    tool: null,
    summary: 'Manage tokens',
    details:
      '`rotate` returns a new token and ends the one you sent, or all of them if you signed the request. If you lost the ' +
      'answer, send the same request with the same `Idempotency-Key` and the ended token again within 24 hours; the ended ' +
      'token works for nothing else. `revoke` ends all your tokens and webhooks, and also works without a token. `issue` ' +
      'returns a further token, which `scope` limits: `read` only reads (`inbox` then marks nothing as read), and `work` ' +
      'also works, but changes neither keys, tokens, wallets, identity, webhooks nor payout addresses. `spend_usd_a_day` ' +
      'limits what it pays in any 24 hours. A limited token can only revoke itself or, with a sum, `rotate`, which keeps ' +
      'its limits and what it spent. A token is valid until `expires_at`. You can have ' +
      `${TOKENS_MAX} tokens; issuing another ends the oldest.`,
    example: { action: 'rotate' },
  },
});
