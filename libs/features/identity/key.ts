import { needed } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { Claims } from '#libs/claims/claims.js';
import { TokenMint } from '#libs/http/authentication/bearer-tokens.js';
import { isSiblingId } from '#libs/kernel/ids.js';
import { fieldRule, rule } from '#libs/kernel/refusal.js';
import { importPublicKey, verifyStrict } from '#libs/platform/signing/ed25519.js';
import { keyProof } from '#libs/platform/signing/key-proof.js';
import { revokeAllTokens } from '#libs/domain/token-ends.js';
import { endVerification } from '#libs/domain/verification-end.js';
import { isEventOf } from '#libs/domain/define.js';
import { KeyBound, Muse, TokenIssued, TokenRevoked, VerificationEnded } from '#libs/domain/muse.js';
import { assertPresent } from '#libs/endpoints/muse-rules.js';
import { defineCommand } from '#libs/endpoints/command.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { newTokenContext, TOKEN_ANSWER, issuedTokenIn } from './new-token.js';

const FIELDS = {
  public_key: needed(c.publicKey, 'The key to sign with from now on'),
  proof: needed(c.signature, 'Its signature over `service-key-v1`, LF, the muse_id, LF, `public_key`'),
};

export const key = defineCommand('key', {
  who: 'known',
  secret: true,
  fields: FIELDS,
  uses: { claims: Claims, tokens: TokenMint },
  events: [KeyBound, TokenIssued, TokenRevoked, VerificationEnded],
  writes: (_fields, { actor }) => Muse.source(actor),
  given: newTokenContext,
  decide(muse, { public_key, proof }, { actor }, _reads, { issued, presented }) {
    rule(!isSiblingId(actor), 'sibling_key', 'The key of a sibling identity is the one of its own network.', {
      hint: 'Replace it there: it counts here ten minutes later at most.',
    });
    assertPresent(muse);
    fieldRule(
      importPublicKey(public_key) !== null,
      'public_key',
      'public_key must be an ed25519 key, and no weak one.',
      'malformed',
    );
    rule(verifyStrict(public_key, keyProof(actor, public_key), proof), 'proof_mismatch', 'The proof does not verify.', {
      field: 'proof',
      hint: 'Sign exactly `service-key-v1`, LF, your muse_id, LF, the new public key, with the new key.',
    });
    if (muse.public_key === public_key) return [];
    rule(!muse.formerKeys.has(public_key), 'key_taken', 'public_key was replaced before, and cannot be used again.', {
      field: 'public_key',
    });
    const { muse_id, public_key: replaces } = muse;
    if (replaces === null) return [KeyBound({ muse_id, public_key })];
    return [
      ...endVerification(muse, 'key_changed'),
      ...revokeAllTokens(muse),
      KeyBound({ muse_id, public_key, replaces }),
      ...(presented === null ? [] : [TokenIssued({ muse_id, ...issued })]),
    ];
  },
  async claim({ fields: { public_key }, context }, { claims }) {
    const { actor, ids } = context;
    const owner = Muse.streamName(actor);
    const finishes = { event: ids.event(owner, KeyBound.type) };
    const standing = await claims.acquire({ kind: 'key', value: public_key }, { owner, finishes }, context);
    rule(standing === null, 'key_taken', 'public_key belongs to another muse, or did before.', { field: 'public_key' });
  },
  answer: w.object({
    muse_id: w.museId,
    public_key: w.publicKey,
    replaced: w.flag(true, 'Whether another key has ended'),
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
    summary: 'Bind a first key, or replace one',
    details:
      'A key that is replaced signs nothing from that moment on and is never taken again; every token and the ' +
      'verification end with it, whose wallet is free then, and the inbox says `key_changed`. Who replaces it with a ' +
      'token is answered a new one. The key of a `muse_` identity is replaced on its own network. With which keys an identity signed, and when: `GET /api/muse/<id>/keys`.',
    example: {
      public_key: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      proof: 'A'.repeat(86),
    },
  },
});
