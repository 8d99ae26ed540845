import { c, defineCommand, needed, w } from '#libs/endpoints/declare.js';
import { notInEvents } from '#libs/endpoints/decision.js';
import { TokenMint } from '#libs/http/authentication/bearer-tokens.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { listSurplusTokens, listTokenHashes, revokeAllTokens, TOKENS_MAX } from '#libs/domain/access-ends.js';
import { isEventOf } from '#libs/domain/define.js';
import { Muse, TokenIssued, TokenRevoked } from '#libs/domain/muse.js';
import { assertPresent } from './domain/muse-rules.js';
import { newTokenContext, TOKEN_ANSWER, issuedTokenIn } from './new-token.js';

const ONLY_SIGNED = '`action` must not be `issue` with a bearer token. Sign the request, or send `rotate`.';

export const token = defineCommand('token', {
  who: 'known',
  secret: true,
  fields: {
    action: needed(
      c.oneOf('rotate', 'revoke', 'issue'),
      '`rotate` replaces your token, `revoke` ends all of them, `issue` creates one',
    ),
  },
  uses: { tokens: TokenMint },
  events: [TokenIssued, TokenRevoked],
  decidesEach: true,
  fieldsFromEvent({ type, authorization }, isFirst) {
    // Tokens that end after a new one may be the surplus ones of `issue`, or all of `rotate`.
    if (type === TokenRevoked.type) return isFirst ? { action: 'revoke' as const } : notInEvents();
    return { action: authorization.mode === 'bearer' ? ('rotate' as const) : ('issue' as const) };
  },
  writes: (_fields, { actor }) => Muse.source(actor),
  given: newTokenContext,
  decide(muse, { action }, _context, _reads, { issued, requestTokenHint }) {
    assertPresent(muse);
    const { muse_id } = muse;
    const next = TokenIssued({ muse_id, ...issued });
    const revoke = (hashes: string[], replaced_by?: string) =>
      hashes.length === 0 ? [] : [TokenRevoked({ muse_id, hashes, ...(replaced_by && { replaced_by }) })];
    switch (action) {
      case 'revoke':
        // Also written without tokens, because it stops the webhooks.
        return [TokenRevoked({ muse_id, hashes: listTokenHashes(muse) })];
      case 'issue':
        fieldRule(requestTokenHint === null, 'action', ONLY_SIGNED, 'not_allowed');
        return [next, ...revoke(listSurplusTokens(muse))];
      case 'rotate':
        if (requestTokenHint === null) return [next, ...revokeAllTokens(muse)];
        return [
          next,
          ...revoke(
            listTokenHashes(muse).filter(hash => hash.startsWith(requestTokenHint)),
            issued.hash,
          ),
        ];
    }
  },
  answer: w.object({ ...TOKEN_ANSWER, revoked: w.rarelyPresent(w.flag(true, 'Whether any token was revoked')) }),
  reply: ({ fields: { action }, events, given }) => ({
    ...issuedTokenIn(events, given),
    ...(action !== 'issue' && {
      revoked: events.some(event => isEventOf(TokenRevoked, event) && event.data.hashes.length > 0),
    }),
  }),
  doc: {
    tag: 'Identity',
    tool: null,
    summary: 'Manage tokens',
    details:
      '`rotate` returns a new token and ends the one you sent, or all of them if you signed the request. If you lost the ' +
      'answer, send the same request with the same `Idempotency-Key` and the ended token again within 24 hours; the ended ' +
      'token works for nothing else. `revoke` ends all your tokens and webhooks, and also works without a token. `issue` ' +
      'returns a token in answer to a signed request. A token is valid until `expires_at`. You can have ' +
      `${TOKENS_MAX} tokens; issuing another ends the oldest.`,
    example: { action: 'rotate' },
  },
});
