/** Versions of the Agent2Agent protocol. Version 0.3 is served over JSON-RPC only. */
export const PROTOCOL_VERSION = '1.0' as const;
export const LEGACY_VERSION = '0.3' as const;
export type ProtocolVersion = typeof PROTOCOL_VERSION | typeof LEGACY_VERSION;

/** Well-known path (A2A 1.0, 8.2) and media type of the agent card. */
export const CARD_PATH = '/.well-known/agent-card.json';
/** Path of the card in A2A 0.2. */
export const LEGACY_CARD_PATH = '/.well-known/agent.json';
export const CARD_MEDIA = 'application/a2a-agent-card+json';

export const A2A_PATH = '/a2a';

/** Accepted body types: the JavaScript client sends the second. */
export const MEDIA_TYPES = ['application/a2a+json', 'application/json'] as const;

/** Extension for payments in message metadata. */
export const X402_EXTENSION = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2';
