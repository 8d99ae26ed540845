import { needed } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { TokenMint } from '#libs/http/authentication/bearer-tokens.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { listSurplusTokens, listTokenHashes, revokeAllTokens, TOKENS_MAX } from '#libs/domain/token-ends.js';
import { isEventOf } from '#libs/domain/define.js';
import { Muse, TokenIssued, TokenRevoked } from '#libs/domain/muse.js';
import { assertPresent } from '#libs/endpoints/muse-rules.js';
import { defineCommand } from '#libs/endpoints/command.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { newTokenContext, TOKEN_ANSWER, issuedTokenIn } from './new-token.js';

const ONLY_SIGNED = 'action can be issue only in a signed request; with a token, use rotate.';

export const token = defineCommand('token', {
  who: 'known',
  secret: true,
  fields: { action: needed(c.oneOf('rotate', 'revoke', 'issue'), 'What is done with the tokens of the caller') },
  uses: { tokens: TokenMint },
  events: [TokenIssued, TokenRevoked],
  writes: (_fields, { actor }) => Muse.source(actor),
  given: newTokenContext,
  decide(muse, { action }, _deciding, _reads, { issued, presented }) {
    assertPresent(muse);
    const { muse_id } = muse;
    const next = TokenIssued({ muse_id, ...issued });
    const ended = (hashes: string[], replaced_by?: string) =>
      hashes.length === 0 ? [] : [TokenRevoked({ muse_id, hashes, ...(replaced_by && { replaced_by }) })];
    switch (action) {
      case 'revoke':
        // Also written without tokens, because it stops the webhooks.
        return [TokenRevoked({ muse_id, hashes: listTokenHashes(muse) })];
      case 'issue':
        fieldRule(presented === null, 'action', ONLY_SIGNED, 'not_allowed');
        return [next, ...ended(listSurplusTokens(muse))];
      case 'rotate':
        if (presented === null) return [next, ...revokeAllTokens(muse)];
        return [
          next,
          ...ended(
            listTokenHashes(muse).filter(hash => hash.startsWith(presented)),
            issued.hash,
          ),
        ];
    }
  },
  answer: w.object({ ...TOKEN_ANSWER, revoked: w.rarelyPresent(w.flag(true, 'Whether a token has ended')) }),
  reply: ({ fields: { action }, events, given }) => ({
    ...issuedTokenIn(events, given),
    ...(action !== 'issue' && {
      revoked: events.some(event => isEventOf(TokenRevoked, event) && event.data.hashes.length > 0),
    }),
  }),
  doc: {
    tag: 'Identity',
    tool: null,
    summary: 'Rotate, revoke or issue bearer tokens',
    details:
      '`rotate` answers a new token and ends the one that the request came with, or all of them where it is signed. ' +
      'Where the answer was lost, the token that has ended gets it again for 24 hours, by the same request under its ' +
      '`Idempotency-Key`; it does nothing else. `revoke` ends all of them at once, and every webhook, also of an ' +
      'identity that has no token. `issue` gives a token to an identity ' +
      `that signs. A token is valid until \`expires_at\`; of more than ${TOKENS_MAX}, the oldest end.`,
    example: { action: 'rotate' },
  },
});
