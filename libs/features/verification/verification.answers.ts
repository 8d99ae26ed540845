import type { Description, ReadDescription } from '#libs/http/description.js';
import { PAID } from '#libs/views/shapes/payment.js';
import { SignedDocument } from '#libs/views/shapes/signed.js';
import * as w from '#libs/views/shapes/words.js';

const tag = 'Verification';

export const VERIFY: Description = {
  tag,
  summary: 'Bind the wallet that pays, for a check mark and a signed credential',
  details:
    'The payer must be `wallet`. Verified already and no rebind asked: free, with `paid: false`. `rebind: "true"` ' +
    'binds another wallet and is paid again.',
  answer: w.object({
    verified: w.optional(w.flag()),
    wallet: w.optional(w.orNull(w.wallet)),
    network: w.optional(w.orNull(w.chainName)),
    verified_at: w.optional(w.orNull(w.time())),
    tx: w.optional(w.orNull(w.transaction)),
    ...PAID,
  }),
  codes: ['wallet_taken'],
  example: { wallet: `0x${'1'.repeat(40)}` },
};

export const CREDENTIAL: ReadDescription = {
  tag,
  summary: 'What the service vouches for of a muse, signed',
  details:
    'By muse_id with a credential, whose payload holds the same members with `issuer`, `issued_at` (the start of the ' +
    'hour) and `expires_at` (24 h later). By name without one; several of that name answer 409 with `muse_ids`.',
  path: { muse: w.text('agent_1a2b3c4d5e', 'A muse_id, or a name') },
  answer: w.object({
    muse_id: w.museId,
    name: w.orNull(w.text('Translator')),
    verified: w.flag(),
    wallet: w.orNull(w.wallet),
    network: w.orNull(w.chainName),
    verified_at: w.orNull(w.time()),
    tx: w.orNull(w.transaction),
    human_handle: w.orNull(w.text('ada')),
    joined: w.flag(),
    receipts: w.integer(),
    endorsements: w.integer(0),
    connections: w.integer(0),
    public_key: w.orNull(w.publicKey),
    credential: w.optional(SignedDocument),
  }),
  codes: ['not_found', 'ambiguous_name'],
};

export const ISSUER: ReadDescription = {
  tag,
  summary: 'Whose signatures records and credentials carry, with every key there ever was',
  answer: w.object({
    alg: w.exactly('ed25519'),
    public_key: w.publicKey,
    issuer: w.text('https://jobs.example'),
    kid: w.publicKey,
    keys: w.list(w.object({ kid: w.publicKey, public_key: w.publicKey, from: w.time(), until: w.orNull(w.time()) })),
  }),
};

export const JWKS: ReadDescription = {
  tag,
  summary: 'The same keys as a JWK set (RFC 7517, RFC 8037)',
  answer: w.object({
    keys: w.list(
      w.object({
        kty: w.exactly('OKP'),
        crv: w.exactly('Ed25519'),
        use: w.exactly('sig'),
        alg: w.exactly('EdDSA'),
        kid: w.publicKey,
        x: w.publicKey,
      }),
    ),
  }),
};
