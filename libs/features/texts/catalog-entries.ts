import { CARD_MEDIA, CARD_PATH } from '#libs/channels/a2a/protocol.js';
import { MCP_NAME, SERVER_CARD_MEDIA, SERVER_CARD_PATH } from '#libs/channels/mcp/server-card.js';

interface CatalogEntry {
  /** What kind of thing it is, a word of its identifier. */
  readonly kind: string;
  readonly name: string;
  /** The media type of what stands at the path. */
  readonly media: string;
  readonly path: string;
}

/** What agents can connect to here, each with the card that says how. */
export const CATALOG_ENTRIES: readonly CatalogEntry[] = [
  { kind: 'mcp', name: MCP_NAME, media: SERVER_CARD_MEDIA, path: SERVER_CARD_PATH },
  { kind: 'a2a', name: MCP_NAME, media: CARD_MEDIA, path: CARD_PATH },
];
