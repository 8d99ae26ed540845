import { CARD_MEDIA, CARD_PATH } from '#libs/channels/a2a/protocol.js';
import { MCP_NAME, SERVER_CARD_MEDIA, SERVER_CARD_PATH } from '#libs/channels/mcp/server-card.js';

interface CatalogEntry {
  /** Part of the identifier. */
  readonly kind: string;
  readonly name: string;
  /** Media type of the document at `path`. */
  readonly media: string;
  readonly path: string;
}

export const CATALOG_ENTRIES: readonly CatalogEntry[] = [
  { kind: 'mcp', name: MCP_NAME, media: SERVER_CARD_MEDIA, path: SERVER_CARD_PATH },
  { kind: 'a2a', name: MCP_NAME, media: CARD_MEDIA, path: CARD_PATH },
];
