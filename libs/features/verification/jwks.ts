import { defineQuery, w } from '#libs/endpoints/declare.js';
import { Issuer } from '#libs/issuer/issuer.js';

const ED25519 = { kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA' } as const;

export const jwks = defineQuery('jwks', {
  path: '/.well-known/jwks.json',
  bare: true,
  uses: { issuer: Issuer },
  answer: w.object({
    keys: w.parts('Keys that sign the card', {
      kty: w.literal('OKP', 'Type of the key'),
      crv: w.literal('Ed25519', 'Curve of the key'),
      use: w.literal('sig', 'The key signs'),
      alg: w.literal('EdDSA', 'Algorithm of the signatures'),
      kid: w.publicKey,
      x: w.publicKey,
    }),
  }),
  doc: { tag: 'Verification', summary: 'Get the issuer keys as a JWK set', details: 'RFC 7517, RFC 8037.' },
  async find(_fields, { issuer }) {
    const keys = await issuer.keys();
    return { keys: keys.map(({ kid, public_key: x }) => ({ ...ED25519, kid, x })) };
  },
});
