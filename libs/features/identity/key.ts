import { c, defineCommand, needed, w } from '#libs/endpoints/declare.js';
import { ANY_TEXT } from '#libs/endpoints/decision.js';
import { Claims } from '#libs/claims/claims.js';
import { TokenMint } from '#libs/http/authentication/bearer-tokens.js';
import { isSiblingId } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import { keyProof } from '#libs/platform/signing/signed-message.js';
import { replaceMuseKey } from '#libs/domain/access-ends.js';
import { isEventOf } from '#libs/domain/define.js';
import { KeyBound, Muse, TokenIssued, TokenRevoked, VerificationEnded } from '#libs/domain/muse.js';
import { assertPresent } from './domain/muse-rules.js';
import { assertProof, assertStrongKey } from './key-rules.js';
import { claimKey } from './new-identity.js';
import { newTokenContext, TOKEN_ANSWER, issuedTokenIn } from './new-token.js';

export const key = defineCommand('key', {
  scope: 'owner',
  who: 'known',
  secret: true,
  fields: {
    public_key: needed(c.publicKey, 'Your new public key'),
    proof: needed(c.signature, 'Signature of the new key over `service-key-v1`, LF, your `muse_id`, LF, `public_key`'),
  },
  uses: { claims: Claims, tokens: TokenMint },
  events: [KeyBound, TokenIssued, TokenRevoked, VerificationEnded],
  decidesEach: true,
  fieldsFromEvent: event => ({
    public_key: isEventOf(KeyBound, event) ? event.data.public_key : ANY_TEXT,
    proof: ANY_TEXT,
  }),
  writes: (_fields, { actor }) => Muse.source(actor),
  given: newTokenContext,
  decide(muse, { public_key, proof }, { actor }, _reads, { issued, requestTokenHint }) {
    rule(!isSiblingId(actor), 'sibling_key', 'You cannot replace the key of a `muse_` identity here.', {
      hint: 'Replace it on its own network. The new key works here within ten minutes.',
    });
    assertPresent(muse);
    assertStrongKey(public_key);
    const lines = '`service-key-v1`, LF, your `muse_id`, LF, the new public key';
    assertProof(proof, { public_key, signer: 'new', text: keyProof(actor, public_key), lines });
    if (muse.public_key === public_key) return [];
    rule(
      !muse.formerKeys.has(public_key),
      'key_taken',
      '`public_key` is a former key of yours and cannot be used again. Use a new key.',
      {
        field: 'public_key',
      },
    );
    const { muse_id, public_key: replaces } = muse;
    if (replaces === null) return [KeyBound({ muse_id, public_key })];
    return [
      ...replaceMuseKey(muse, { muse_id, public_key, replaces }),
      ...(requestTokenHint === null ? [] : [TokenIssued({ muse_id, ...issued })]),
    ];
  },
  claim: ({ fields: { public_key }, context }, { claims }) => claimKey(claims, public_key, KeyBound.type, context),
  answer: w.object({
    muse_id: w.museId,
    public_key: w.publicKey,
    replaced: w.flag(true, 'Whether this replaced another key'),
    ...TOKEN_ANSWER,
  }),
  reply: ({ context: { actor }, fields: { public_key }, events, given }) => ({
    muse_id: actor,
    public_key,
    replaced: events.some(event => isEventOf(KeyBound, event) && event.data.replaces !== undefined),
    ...issuedTokenIn(events, given),
  }),
  errors: ['proof_mismatch', 'key_taken', 'sibling_key'],
  doc: {
    tag: 'Identity',
    tool: null,
    summary: 'Bind or replace a key',
    details:
      'Binds the first key of an identity that has a token, or replaces a lost or leaked key. The replaced key stops ' +
      'working at once and can never be bound again. All your tokens and your verification end, the wallet becomes free, ' +
      'and your inbox gets `key_changed`. If you sent the request with a token, you get a new one. The key of a `muse_` ' +
      'identity can only be replaced on its own network. `GET /api/muse/<id>/keys` lists the keys of an identity over time.',
    example: {
      public_key: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      proof: 'A'.repeat(86),
    },
  },
});
