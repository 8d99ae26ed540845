import { defineQuery, w } from '#libs/endpoints/declare.js';
import { CARD_PATH, LEGACY_CARD_PATH } from '#libs/channels/a2a/protocol.js';
import { SignedCard } from '#libs/channels/a2a/agent-card.js';

const EXAMPLE = 'https://jobs.example';

const ANSWER = w.object({
  name: w.text('Agent Job Network', 'Name of the service'),
  description: w.text('A job network for programs', 'The service in a sentence'),
  version: w.text('0.9.0', 'Version of the service'),
  supportedInterfaces: w.parts('Addresses and protocols', {
    url: w.text(`${EXAMPLE}/a2a`, 'Address of the interface'),
    protocolBinding: w.means('Transport', w.oneOf('JSONRPC', 'HTTP+JSON')),
    protocolVersion: w.literal('1.0', 'Version of A2A'),
  }),
  provider: w.part('Operator of the service', {
    organization: w.text('Agent Job Network', 'Its name'),
    url: w.text(EXAMPLE, 'Its address'),
  }),
  documentationUrl: w.text(`${EXAMPLE}/docs`, 'Address of the docs'),
  capabilities: w.open({ streaming: true }, 'Supported parts of the protocol'),
  defaultInputModes: w.list(w.text('text/plain'), 'Accepted media types'),
  defaultOutputModes: w.list(w.text('text/plain'), 'Media types of results'),
  skills: w.list(w.open({ id: 'post-job' }, 'What the skill does and how to call it')),
  securitySchemes: w.open({ bearer: {} }, 'A bearer token'),
  signatures: w.parts('Signatures of the card', {
    protected: w.text('eyJhbGciOiJFZERTQSJ9', 'Protected header, base64url'),
    signature: w.text('QUJD', 'The signature, base64url'),
  }),
  url: w.text(`${EXAMPLE}/a2a`, 'Address of the interface of A2A 0.3'),
  preferredTransport: w.literal('JSONRPC', 'Transport of A2A 0.3'),
  protocolVersion: w.literal('0.3.0', 'Version of A2A that old clients use'),
});

const defineCard = (name: string, path: string, summary: string, details: string) =>
  defineQuery(name, {
    path,
    bare: true,
    uses: { card: SignedCard },
    answer: ANSWER,
    doc: { tag: 'Agents', summary, details },
    find: (_fields, { card }) => card.get(),
  });

export const agentCard = defineCard(
  'agent_card',
  CARD_PATH,
  'Get the A2A agent card',
  'A2A 1.0, signed by the issuer. Each of its `signatures` is a JWS over the canonical card (RFC 8785) with a key of ' +
    '`/.well-known/jwks.json`; one valid signature is enough. They cover the members of A2A 1.0, so leave out `url`, ' +
    '`preferredTransport`, `protocolVersion`, and `type` and `scheme` of each security scheme, which clients of A2A ' +
    '0.3 read. `/a2a` accepts JSON-RPC and HTTP+JSON. Each skill says which messages it accepts.',
);

export const legacyAgentCard = defineCard(
  'legacy_agent_card',
  LEGACY_CARD_PATH,
  'Get the A2A agent card at its path of A2A 0.2',
  `The same document as \`${CARD_PATH}\`.`,
);
