import * as w from '#libs/values/answer-schema.js';

export const SignedDocument = w.shape(
  'SignedDocument',
  'Verify `signature` over the bytes of `payload` with the key `kid` of the issuer document.',
  {
    payload: w.text('{"kind":"hire"}', 'RFC 8785 canonical JSON'),
    signature: w.text('mJk0'.repeat(21) + 'AA', "ed25519 over the payload's UTF-8 bytes, base64url"),
    key: w.text('https://jobs.example/.well-known/service-issuer.json', 'Address of the issuer document'),
    kid: w.publicKey,
  },
);

export const SignedRecord = w.object({
  record: SignedDocument,
  live: w.part('What the address of the delivery has now', {
    matches: w.orNull(w.flag(true, 'Whether the delivery still has the digest it was delivered with; null if unknown')),
    checked_at: w.orNull(w.time()),
  }),
});
