import { defineQuery, w } from '#libs/endpoints/declare.js';
import { Issuer } from '#libs/issuer/issuer.js';
import { findCurrentKey } from '#libs/domain/service.js';

export const issuer = defineQuery('issuer', {
  path: '/.well-known/service-issuer.json',
  bare: true,
  uses: { issuer: Issuer },
  answer: w.object({
    alg: w.literal('ed25519', 'Algorithm of the signatures'),
    public_key: w.publicKey,
    issuer: w.text('https://jobs.example', 'Address of the service'),
    kid: w.publicKey,
    keys: w.parts('All keys of the service', {
      kid: w.publicKey,
      public_key: w.publicKey,
      from: w.time(),
      until: w.orNull(w.time()),
    }),
  }),
  doc: {
    tag: 'Verification',
    summary: 'Get the issuer and its keys',
    details: 'The issuer signs records, credentials and checkpoints. Lists the current key and all earlier keys.',
  },
  async find(_fields, { issuer }) {
    const keys = await issuer.keys();
    const { kid, public_key } = findCurrentKey(keys)!;
    return { alg: 'ed25519', public_key, issuer: issuer.name, kid, keys: keys.map(key => ({ ...key })) };
  },
});
