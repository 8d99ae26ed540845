import { Injectable } from '@nestjs/common';
import { isSignatureError, type UntrustedSignatureCandidate, type Verifier, verifySignature } from 'http-message-sig';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { fieldRule, FieldRefusal, Refusal, rule } from '#libs/kernel/refusal.js';
import { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import { encodeBase64url } from '#libs/platform/signing/base64url.js';
import { verifyStrict } from '#libs/platform/signing/ed25519.js';
import type { HttpRequest } from '#libs/http/http-request.js';
import type { DecisionContext } from '#libs/kernel/decide.js';
import { assertDigestsMatch } from './content-digest.js';
import { keyOf, operatorOf } from './key-directory.js';
import { agentOf, labelOf, type SignatureFields, signatureFieldsOf, TAG } from './signature-fields.js';

/** Verified signature of an operator. Times are unix ms. */
export interface OperatorProof {
  readonly domain: string;
  readonly public_key: string;
  readonly signed_at: number;
  readonly expires_at: number;
  /** The signature base (RFC 9421, 2.5). */
  readonly operator_signed: string;
  /** Base64url. */
  readonly operator_signature: string;
}

const CLOCK_SKEW_MAX_MS = MINUTE_MS;
/** Older signatures are refused even if they expire later. */
const AGE_MAX_MS = DAY_MS;
const ED25519 = 'ed25519';

/** Header fields that a signature may cover: none that holds a secret, because the signed text is stored. */
const COVERABLE: ReadonlySet<string> = new Set([
  'signature-agent',
  'signature-input',
  'signature',
  'accept',
  'content-digest',
  'content-length',
  'content-type',
  'date',
  'host',
  'user-agent',
]);

/** Verifies HTTP message signatures of operators with the keys of their domains. */
@Injectable()
export class OperatorProofs {
  constructor(
    private readonly safeFetch: SafeFetch,
    private readonly address: ServiceAddress,
  ) {}

  /** Returns the refusal: a repeated request is answered by its event even if its signature has expired. */
  async verify(context: DecisionContext, request: HttpRequest): Promise<OperatorProof | Refusal> {
    try {
      return await this.verifySignature(context, request);
    } catch (error) {
      const reason = isSignatureError(error) ? refusalOf(error) : error;
      if (reason instanceof Refusal) return reason;
      throw reason;
    }
  }

  private async verifySignature({ actor, at }: DecisionContext, request: HttpRequest): Promise<OperatorProof> {
    const fields = signatureFieldsOf(request);
    const label = labelOf(fields);
    let proof: OperatorProof | undefined;
    // `resolveVerifier` checks coverage, parameters and times, so that each has its own refusal.
    const policy = {
      algorithms: [ED25519],
      requiredComponents: [],
      requiredParameters: [],
      clockSkew: Number.MAX_VALUE,
    };
    await verifySignature(messageOf(request, this.address), {
      label,
      policy,
      resolveVerifier: async candidate => {
        const { agent, keyid, ...times } = claimsOf(candidate, fields, at);
        assertContentCovered(candidate, request);
        const operator = operatorOf(agent, this.safeFetch);
        const public_key = await keyOf(operator, keyid, at, { safeFetch: this.safeFetch, account: actor });
        return verifierOf(public_key, (operator_signed, operator_signature) => {
          proof = { domain: operator.domain, public_key, ...times, operator_signed, operator_signature };
        });
      },
    });
    return proof!;
  }
}

function messageOf({ method, target, headers }: HttpRequest, address: ServiceAddress) {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    COVERABLE.has(name) && value !== undefined
      ? [{ name, value: Array.isArray(value) ? value.join(', ') : value }]
      : [],
  );
  const targetUri = `${address.asCalled(headers['host'])}${target}`;
  return { kind: 'request', method, targetUri, requestTarget: target, fields } as const;
}

/** Throws a 400 for missing parameters, `operator_signature_expired` for its times. */
function claimsOf({ components, parameters }: UntrustedSignatureCandidate, fields: SignatureFields, now: number) {
  const { created, expires, keyid, tag } = parameters;
  const agentComponent = components.find(({ name }) => name === 'signature-agent');
  const isCovered = agentComponent !== undefined && components.some(({ name }) => name === '@authority');
  fieldRule(
    isCovered,
    'signature-input',
    '`signature-input` must cover "@authority" and "signature-agent".',
    'malformed',
  );
  fieldRule(tag === TAG, 'signature-input', `\`signature-input\` must have tag="${TAG}".`, 'malformed');
  const isComplete = created !== undefined && expires !== undefined && keyid !== undefined && created < expires;
  fieldRule(
    isComplete,
    'signature-input',
    '`signature-input` must have `keyid`, `created`, and a later `expires`.',
    'malformed',
  );
  const [signed_at, expires_at] = [created * SECOND_MS, expires * SECOND_MS];
  const isFresh = now < expires_at && signed_at <= now + CLOCK_SKEW_MAX_MS && now - signed_at <= AGE_MAX_MS;
  rule(
    isFresh,
    'operator_signature_expired',
    'The operator’s signature has expired or is older than a day. Sign again.',
    {
      more: { server_time: now },
    },
  );
  return { agent: agentOf(fields, agentComponent.parameters['key']), keyid, signed_at, expires_at };
}

/** The other components are parts of the request itself, so that the signature compares them. */
function assertContentCovered({ components }: UntrustedSignatureCandidate, { headers, content }: HttpRequest): void {
  const isCovered = components.some(({ name }) => name === 'content-digest');
  if (isCovered) assertDigestsMatch(String(headers['content-digest'] ?? ''), content ?? new Uint8Array());
}

/** Verifies strict ed25519 over the signature base, and reports the signed text. */
function verifierOf(publicKey: string, onVerified: (signed: string, signature: string) => void): Verifier {
  return {
    algorithm: ED25519,
    verify(data, bytes) {
      const signed = Buffer.from(data).toString('utf8');
      const signature = encodeBase64url(bytes);
      rule(
        verifyStrict(publicKey, data, signature),
        'operator_signature_mismatch',
        'The operator’s signature does not match the request.',
        {
          more: { canonical_message_preview: signed },
          hint: 'Sign exactly the bytes of `canonical_message_preview` with the key that `keyid` names in the directory.',
        },
      );
      onVerified(signed, signature);
      return true;
    },
  };
}

/** Errors of the key look-up pass; other errors are malformed or missing fields. */
function refusalOf({ code, message, cause }: Error & { readonly code: string }): unknown {
  if (code === 'ResolverFailed') return cause;
  const field = code === 'LabelMismatch' ? 'signature' : 'signature-input';
  return new FieldRefusal(field, `\`${field}\`: ${message}.`, 'malformed');
}
