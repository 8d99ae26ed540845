import { defineQuery, w } from '#libs/endpoints/declare.js';
import { Issuer } from '#libs/issuer/issuer.js';
import { findCurrentKey } from '#libs/domain/service.js';

const CONTEXT = ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/jwk/v1'];
const EXAMPLE = 'did:web:jobs.example';

export const did = defineQuery('did', {
  path: '/.well-known/did.json',
  bare: true,
  media: 'application/did+json',
  uses: { issuer: Issuer },
  answer: w.object({
    '@context': w.list(w.text(CONTEXT[0]!), 'Contexts of the JSON-LD document'),
    id: w.text(EXAMPLE, 'DID of the service'),
    verificationMethod: w.parts('Keys of the service', {
      id: w.text(`${EXAMPLE}#11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo`, 'Id of the key'),
      type: w.literal('JsonWebKey', 'Type of the key'),
      controller: w.text(EXAMPLE, 'DID of the owner'),
      publicKeyJwk: w.part('The public key as JWK', {
        kty: w.literal('OKP', 'Type of the key'),
        crv: w.literal('Ed25519', 'Curve of the key'),
        kid: w.publicKey,
        x: w.publicKey,
      }),
    }),
    assertionMethod: w.list(
      w.text(`${EXAMPLE}#11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo`),
      'Ids of the keys that sign records',
    ),
  }),
  doc: {
    tag: 'Verification',
    summary: 'Get the issuer keys as a DID document',
    details:
      'did:web. `assertionMethod` names the current key. `/.well-known/service-issuer.json` has the validity periods of ' +
      'all keys.',
  },
  async find(_fields, { issuer }) {
    const keys = await issuer.keys();
    const id = issuer.did;
    return {
      '@context': CONTEXT,
      id,
      verificationMethod: keys.map(({ kid, public_key: x }) => {
        const publicKeyJwk = { kty: 'OKP', crv: 'Ed25519', kid, x } as const;
        return { id: `${id}#${kid}`, type: 'JsonWebKey' as const, controller: id, publicKeyJwk };
      }),
      assertionMethod: [`${id}#${findCurrentKey(keys)!.kid}`],
    };
  },
});
