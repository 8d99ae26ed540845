import { needed, type ValuesOf } from '#libs/checks/fields.js';
import * as c from '#libs/checks/words.js';
import { TokenMint } from '#libs/http/authentication/bearer.js';
import type { PersistentMap } from '#libs/kernel/persistent-map.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { tokensEnded, tokensOf } from '#libs/streams/credentials.js';
import { is } from '#libs/streams/define.js';
import { type KnownMuse, Muse, TokenIssued, TokenRevoked } from '#libs/streams/muse.js';
import { assertPresent } from '#libs/verbs/muse-rules.js';
import { verb } from '#libs/verbs/verb.js';
import * as w from '#libs/views/shapes/words.js';
import { mintedForAYear, mintedToken, TOKEN_ANSWER, tokenIn } from './minted-token.js';

/** How many tokens one identity has at most. */
const TOKENS_MAX = 20;

/** Of tokens with a number each, those that give way to one more: the least. */
function surplusOf(tokens: PersistentMap<string, number>): string[] {
  const inOrder = [...tokens].sort(([, one], [, other]) => one - other).map(([hash]) => hash);
  return inOrder.slice(0, Math.max(0, inOrder.length + 1 - TOKENS_MAX));
}

/** The oldest. */
const oldest = ({ issued }: KnownMuse) => surplusOf(issued);

/** Those that end first, which were the oldest while each was valid for a year. */
const endingFirst = ({ tokens }: KnownMuse) => surplusOf(tokens);

const FIELDS = {
  action: needed(c.oneOf('rotate', 'revoke', 'issue'), 'What is done with the tokens of the caller'),
};

const ONLY_SIGNED = 'Only a signed request issues a token; with a token, rotate it.';

type Given = ReturnType<typeof mintedToken.said>;

interface Rules {
  readonly surplus: (muse: KnownMuse) => string[];
  readonly endsAll: boolean;
}

/** How tokens are issued and end. Until version 2 an identity without tokens had nothing to revoke, and its webhooks went on. */
function exchanged(
  muse: Muse,
  action: 'rotate' | 'revoke' | 'issue',
  { issued, presented }: Given,
  { surplus, endsAll }: Rules,
) {
  assertPresent(muse);
  const { muse_id } = muse;
  const next = TokenIssued({ muse_id, ...issued });
  const ended = (hashes: string[], replaced_by?: string) =>
    hashes.length === 0 ? [] : [TokenRevoked({ muse_id, hashes, ...(replaced_by && { replaced_by }) })];
  switch (action) {
    case 'revoke':
      return endsAll ? [TokenRevoked({ muse_id, hashes: tokensOf(muse) })] : tokensEnded(muse);
    case 'issue':
      fieldRule(presented === null, 'action', ONLY_SIGNED, 'not_allowed');
      return [next, ...ended(surplus(muse))];
    case 'rotate':
      if (presented === null) return [next, ...tokensEnded(muse)];
      return [
        next,
        ...ended(
          tokensOf(muse).filter(hash => hash.startsWith(presented)),
          issued.hash,
        ),
      ];
  }
}

const by =
  (rules: Rules) =>
  (muse: Muse, { action }: ValuesOf<typeof FIELDS>, _deciding: object, _reads: object, given: Given) =>
    exchanged(muse, action, given, rules);

/** A token for another, the end of all of them, or one for an identity that signs. */
export const token = verb('token', {
  who: 'known',
  whileSuspended: ({ action }) => action === 'revoke',
  secret: true,
  version: 3,
  older: [
    { version: 1, said: mintedForAYear, decide: by({ surplus: endingFirst, endsAll: false }) },
    { version: 2, decide: by({ surplus: oldest, endsAll: false }) },
  ],
  fields: FIELDS,
  uses: { tokens: TokenMint },
  events: [TokenIssued, TokenRevoked],
  writes: (_fields, { actor }) => Muse.of(actor),
  given: mintedToken,
  decide: by({ surplus: oldest, endsAll: true }),
  answer: w.object({ ...TOKEN_ANSWER, revoked: w.rare(w.flag(true, 'Whether a token has ended')) }),
  reply: ({ fields: { action }, events, given }) => ({
    ...tokenIn(events, given),
    ...(action !== 'issue' && {
      revoked: events.some(event => is(TokenRevoked, event) && event.data.hashes.length > 0),
    }),
  }),
  errors: [],
  doc: {
    tag: 'Identity',
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
