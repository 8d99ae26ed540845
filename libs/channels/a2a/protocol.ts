/** Agent2Agent protocol, version 1.0. */
export const PROTOCOL_VERSION = '1.0' as const;

/** Where a client looks for the agent card (A2A 1.0, 8.2), and what catalogs call such a document. */
export const CARD_PATH = '/.well-known/agent-card.json';
export const CARD_MEDIA = 'application/a2a-agent-card+json';

/** Below this both bindings are served. */
export const A2A_PATH = '/a2a';

/** The media types that a body may have: the JavaScript client of the protocol sends the second one. */
export const MEDIA_TYPES = ['application/a2a+json', 'application/json'] as const;

/** The extension by which payments travel in the metadata of messages. */
export const X402_EXTENSION = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2';
