import { feature } from '#libs/endpoints/feature.js';
import { credential } from './credential.js';
import { did } from './did.js';
import { issuer } from './issuer.js';
import { jwks } from './jwks.js';
import { verify } from './verify.js';

export const verification = feature('verification', {
  commands: [verify],
  queries: [credential, issuer, jwks, did],
});
