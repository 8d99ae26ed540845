import { AgentCard, canonicalizeAgentCard } from '@a2a-js/sdk';
import { findCurrentKey } from '#libs/domain/service.js';
import type { ServiceAddress } from '#libs/http/service-address.js';
import type { Issuer } from '#libs/issuer/issuer.js';
import { VERSION } from '#libs/kernel/version.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { A2A_PATH, PROTOCOL_VERSION, X402_EXTENSION } from './protocol.js';

const NAME = 'Agent Job Network';
const SCHEME = 'Bearer';

/**
 * The unsigned agent card of A2A 1.0. It has no empty or default member, because clients drop those before they verify a
 * signature.
 */
function buildAgentCard(url: string) {
  const interfaces = (['JSONRPC', 'HTTP+JSON'] as const).map(protocolBinding => ({
    url: url + A2A_PATH,
    protocolBinding,
    protocolVersion: PROTOCOL_VERSION,
  }));
  return {
    name: NAME,
    description:
      'A job network for programs: finds agents for a task, posts the task as a job, and tracks it until it is done and ' +
      'paid. Every step is an event in a public log that anyone can verify. POST /api/quickstart returns a bearer token; ' +
      'finding workers needs none.',
    version: VERSION,
    supportedInterfaces: interfaces,
    provider: { organization: NAME, url },
    documentationUrl: `${url}/docs`,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extensions: [
        {
          uri: X402_EXTENSION,
          description:
            'Jobs with a budget are paid with x402 on a public chain. `x402.payment.required` is the offer in version 2, ' +
            '`x402.payment.required.v1` the offer in version 1.',
        },
      ],
    },
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: SKILLS,
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: SCHEME } } },
  };
}

/**
 * Adds the members that clients of A2A 0.3 read. The Python client of 1.0 reads `scheme` there too and drops other
 * members of the scheme before it verifies a signature.
 */
function withLegacyMembers<C extends ReturnType<typeof buildAgentCard>>(card: C, url: string) {
  const { bearer } = card.securitySchemes;
  return {
    ...card,
    url: url + A2A_PATH,
    preferredTransport: 'JSONRPC' as const,
    protocolVersion: '0.3.0' as const,
    securitySchemes: { bearer: { ...bearer, type: 'http', scheme: SCHEME } },
  };
}

const base64url = (text: string) => Buffer.from(text).toString('base64url');

interface Signature {
  readonly protected: string;
  readonly signature: string;
}
type Card = ReturnType<typeof withLegacyMembers> & { readonly signatures: readonly Signature[] };

/** Caches the signed card until the issuer's key or the address changes. */
export class SignedCard {
  private cached: { readonly kid: string; readonly url: string; readonly card: Card } | null = null;

  constructor(
    private readonly issuer: Issuer,
    private readonly address: ServiceAddress,
  ) {}

  async get(): Promise<Card> {
    const { url } = this.address;
    const { kid } = findCurrentKey(await this.issuer.keys())!;
    if (this.cached?.kid !== kid || this.cached.url !== url)
      this.cached = { kid, url, card: await this.sign(url, kid) };
    return this.cached.card;
  }

  /**
   * Signed twice (JWS, RFC 7515, over RFC 8785): as A2A 1.0 defines the card, and as the JavaScript client parses it,
   * which loses the security schemes before it verifies.
   */
  private async sign(url: string, kid: string): Promise<Card> {
    const card = buildAgentCard(url);
    const payloads = [canonicalJson(card), canonicalizeAgentCard(AgentCard.fromJSON(card))];
    const header = base64url(canonicalJson({ alg: 'EdDSA', typ: 'JOSE', kid, jku: `${url}/.well-known/jwks.json` }));
    const signatures = await Promise.all(
      payloads.map(async payload => {
        const { signature } = await this.issuer.signText(`${header}.${base64url(payload)}`);
        return { protected: header, signature };
      }),
    );
    return { ...withLegacyMembers(card, url), signatures };
  }
}

/** Skill ids in the agent card and in messages. */
export const FIND_WORKERS = 'find-workers';
export const POST_JOB = 'post-job';
export const FOLLOW_JOB = 'follow-job';

const MODES = ['text/plain', 'application/json'];

const SKILLS = [
  {
    id: FIND_WORKERS,
    name: 'Find workers',
    description:
      'Finds agents by their skills and the words of their profiles. Needs no token. Send a text that begins with "find", ' +
      `"search" or "look for", or a data part \`{"skillId": "${FIND_WORKERS}", ...}\` with the fields of ` +
      '`GET /api/people`. The answer is a message with a data part `{people, next}`.',
    tags: ['jobs', 'search', 'workers'],
    examples: ['Find translators of French', `{"skillId": "${FIND_WORKERS}", "skill": "french"}`],
  },
  {
    id: POST_JOB,
    name: 'Post a job',
    description:
      'Posts your text as a job, offers it to suitable agents, and returns a task that you can follow until it is done. ' +
      'Its artifacts are the deliveries. Needs a bearer token. Send a text of 10 to 2,000 characters, optionally with a ' +
      `data part \`{"skillId": "${POST_JOB}", ...}\` with the fields of \`POST /api/delegate\`. With \`budget_usd\` the ` +
      'task requests an x402 payment first. In `TASK_STATE_INPUT_REQUIRED`, the message of the task says what to send: ' +
      'the agent to hire, an acceptance, or a payment. Without `escrow`, nobody holds the wage: you pay the worker ' +
      'directly after the delivery. With `escrow: "true"` you pay it when you hire, and a contract on the chain holds it ' +
      'until you accept or the review ends.',
    tags: ['jobs', 'delegate', 'hire', 'x402'],
    examples: [
      'Translate the page at https://example.com/manual from English to French.',
      `{"skillId": "${POST_JOB}", "task": "Translate this line into French: Good morning.", "skills": "french", "budget_usd": "5"}`,
    ],
  },
  {
    id: FOLLOW_JOB,
    name: 'Follow a job',
    description:
      'Returns the state of one of your jobs. The id of the job is also the id of its task, even if you posted it through ' +
      'another interface. `GetTask`, `ListTasks`, `SubscribeToTask` and push notifications return the same state. Needs a ' +
      'bearer token.',
    tags: ['jobs', 'status'],
    examples: ['Follow job-123456789012', `{"skillId": "${FOLLOW_JOB}", "role": "job-123456789012"}`],
  },
].map(skill => ({ ...skill, inputModes: MODES, outputModes: MODES }));
