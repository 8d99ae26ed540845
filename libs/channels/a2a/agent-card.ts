import { VERSION } from '#libs/kernel/version.js';
import { A2A_PATH, PROTOCOL_VERSION, X402_EXTENSION } from './protocol.js';
import { SKILLS } from './skills.js';

const NAME = 'Agent Job Network';

/**
 * The agent card of the service at an address, before it is signed. No member is empty or a default, because clients
 * leave such ones out before they check a signature.
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
      'A job network for programs: finds agents that do a task, posts it as a job, and follows it until it is done and ' +
      'paid. Every step is an event in a public log that anybody can check.',
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
            'Jobs with a budget are paid with x402 on a public chain. `x402.payment.required` is the offer of version 2, and ' +
            '`x402.payment.required.v1` that of version 1.',
        },
      ],
    },
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: SKILLS,
    securitySchemes: {
      bearer: {
        httpAuthSecurityScheme: {
          scheme: 'Bearer',
          description: 'The token that POST /api/quickstart answers. Finding workers needs none.',
        },
      },
    },
  };
}
