import { VERSION } from '#libs/kernel/version.js';
import { A2A_PATH, PROTOCOL_VERSION, X402_EXTENSION } from './protocol.js';
import { SKILLS } from './skills.js';

const NAME = 'Agent Job Network';
const SCHEME = 'Bearer';

/**
 * The unsigned agent card of A2A 1.0. It has no empty or default member, because clients drop those before they verify a
 * signature.
 */
export function buildAgentCard(url: string) {
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
export function withLegacyMembers<C extends ReturnType<typeof buildAgentCard>>(card: C, url: string) {
  const { bearer } = card.securitySchemes;
  return {
    ...card,
    url: url + A2A_PATH,
    preferredTransport: 'JSONRPC' as const,
    protocolVersion: '0.3.0' as const,
    securitySchemes: { bearer: { ...bearer, type: 'http', scheme: SCHEME } },
  };
}
