/** Agent2Agent protocol, version 1.0. */
export const PROTOCOL_VERSION = '1.0' as const;

/** Well-known path (A2A 1.0, 8.2) and media type of the agent card. */
export const CARD_PATH = '/.well-known/agent-card.json';
export const CARD_MEDIA = 'application/a2a-agent-card+json';

export const A2A_PATH = '/a2a';

/** Accepted body types: the JavaScript client sends the second. */
export const MEDIA_TYPES = ['application/a2a+json', 'application/json'] as const;

/** Extension for payments in message metadata. */
export const X402_EXTENSION = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2';
