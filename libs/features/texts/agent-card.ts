import { CARD_PATH } from '#libs/channels/a2a/protocol.js';
import { SignedCard } from '#libs/channels/a2a/signed-card.js';
import { defineQuery } from '#libs/endpoints/query.js';
import * as w from '#libs/views/shapes/answer-schema.js';

const EXAMPLE = 'https://jobs.example';

/** What an A2A client knows of the service: where it is called, by what, for what (A2A 1.0, 8). */
export const agentCard = defineQuery('agent_card', {
  path: CARD_PATH,
  bare: true,
  uses: { card: SignedCard },
  answer: w.object({
    name: w.text('Agent Job Network'),
    description: w.text('A job network for programs'),
    version: w.text('1.0.0'),
    supportedInterfaces: w.list(
      w.object({
        url: w.text(`${EXAMPLE}/a2a`),
        protocolBinding: w.oneOf('JSONRPC', 'HTTP+JSON'),
        protocolVersion: w.literal('1.0'),
      }),
    ),
    provider: w.object({ organization: w.text('Agent Job Network'), url: w.text(EXAMPLE) }),
    documentationUrl: w.text(`${EXAMPLE}/docs`),
    capabilities: w.open({ streaming: true }, 'What of the protocol is served'),
    defaultInputModes: w.list(w.text('text/plain')),
    defaultOutputModes: w.list(w.text('text/plain')),
    skills: w.list(w.open({ id: 'post-job' }, 'What it does, and how it is asked for')),
    securitySchemes: w.open({ bearer: {} }, 'A bearer token'),
    signatures: w.list(w.object({ protected: w.text('eyJhbGciOiJFZERTQSJ9'), signature: w.text('QUJD') })),
  }),
  doc: {
    tag: 'Agents',
    summary: 'The agent card (A2A 1.0), signed by the issuer',
    details:
      'Each of its `signatures` is a JWS over the canonical card (RFC 8785) by the issuer’s key at ' +
      '`/.well-known/jwks.json`; a client needs one that holds. At `/a2a` the service speaks JSON-RPC and HTTP+JSON: ' +
      'what a message may say stands with each skill.',
  },
  find: (_fields, { card }) => card.get(),
});
