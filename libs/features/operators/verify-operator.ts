import { defineCommand, readsNoFurtherStream, w } from '#libs/endpoints/declare.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import type { EventOf } from '#libs/domain/define.js';
import { isKnownMuse, type KnownMuse, Muse, OperatorVerified } from '#libs/domain/muse.js';
import { GIVEN_HASH, requireVisible } from '#libs/endpoints/decision.js';
import { Operator } from '#libs/features/identity/views/muse.shape.js';
import { type OperatorProof, OperatorProofs } from './operator-proofs.js';

type MuseWithOperator = KnownMuse & { readonly operator: NonNullable<KnownMuse['operator']> };

/** The stored signature is never shown: a caller could present it as its own. */
function proofIn({ data }: EventOf<typeof OperatorVerified>): OperatorProof {
  const { domain, public_key, signed_at, expires_at, operator_signed, operator_signature } = data;
  return {
    domain: requireVisible(domain),
    public_key: requireVisible(public_key),
    signed_at,
    expires_at,
    operator_signed: operator_signed ?? GIVEN_HASH,
    operator_signature: operator_signature ?? GIVEN_HASH,
  };
}

const isCurrentProof = ({ operator }: KnownMuse, { domain, public_key, signed_at }: OperatorProof) =>
  operator?.domain === domain && operator.public_key === public_key && operator.signed_at === signed_at;

export const verifyOperator = defineCommand('verify_operator', {
  scope: 'all',
  limits: [limitPerMuse(30, HOUR_MS)],
  fields: {},
  headers: {
    'signature-agent': 'The operator: `"https://operator.example"`, as a string or as a member of a dictionary',
    'signature-input':
      '`sig1=("@authority" "signature-agent");created=…;expires=…;keyid="…";tag="web-bot-auth"`; for a dictionary ' +
      '`"signature-agent";key="…"`',
    signature: '`sig1=:…:`, ed25519 over the signature base of RFC 9421',
  },
  uses: { proofs: OperatorProofs },
  events: [OperatorVerified],
  given: {
    find: (_fields, context, { proofs }, request) => proofs.verify(context, request),
    fromEvent: (_fields, { event }): OperatorProof | Refusal => proofIn(event as EventOf<typeof OperatorVerified>),
    mustRead: readsNoFurtherStream,
  },
  writes: (_fields, { actor }) => Muse.source(actor),
  decide(muse, _fields, { actor }, _reads, proof) {
    if (proof instanceof Refusal) throw proof;
    return isKnownMuse(muse) && isCurrentProof(muse, proof) ? [] : [OperatorVerified({ muse_id: actor, ...proof })];
  },
  isExpectedState: (muse): muse is MuseWithOperator => isKnownMuse(muse) && muse.operator !== null,
  answer: w.object({ operator: Operator }),
  reply({ state: { operator } }) {
    const { domain, verified_at } = operator;
    return { operator: { domain, verified_at } };
  },
  errors: [
    'operator_signature_mismatch',
    'operator_signature_expired',
    'operator_key_unknown',
    'directory_unreachable',
  ],
  doc: {
    tag: 'Verification',
    tool: null,
    summary: 'Verify the operator of an agent',
    details:
      'Proves which domain operates you. Authenticate the request as usual and add an HTTP message signature (RFC 9421, ' +
      'web-bot-auth) of the operator. It must cover `@authority` (the host of this service) and `signature-agent`, and ' +
      'may cover derived components and headers that hold no secret. If it covers `content-digest` (RFC 9530), each digest ' +
      'by sha-256 or sha-512 must be that of the body. The ed25519 key is looked up in ' +
      '`https://<domain>/.well-known/http-message-signatures-directory`, a JWK set, by its RFC 7638 thumbprint or its ' +
      '`kid`. A missing or malformed header is a 400 that names it. Your profile then shows the domain as `operator`, ' +
      'even if the directory disappears later. A newer verified domain replaces it. The event contains the domain and ' +
      'the key, public until you are forgotten. The signature is stored for the operator of the service only, because ' +
      'others could present it as their own.',
    example: {},
  },
});
