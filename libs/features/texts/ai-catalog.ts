import { defineQuery, w } from '#libs/endpoints/declare.js';
import { CARD_MEDIA, CARD_PATH } from '#libs/channels/a2a/protocol.js';
import { MCP_NAME, SERVER_CARD_MEDIA, SERVER_CARD_PATH } from '#libs/channels/mcp/server-card.js';
import { ServiceAddress } from '#libs/http/service-address.js';

const SPEC_VERSION = '1.0';

interface CatalogEntry {
  /** Part of the identifier. */
  readonly kind: string;
  readonly name: string;
  /** Media type of the document at `path`. */
  readonly media: string;
  readonly path: string;
}

const CATALOG_ENTRIES: readonly CatalogEntry[] = [
  { kind: 'mcp', name: MCP_NAME, media: SERVER_CARD_MEDIA, path: SERVER_CARD_PATH },
  { kind: 'a2a', name: MCP_NAME, media: CARD_MEDIA, path: CARD_PATH },
];

export const aiCatalog = defineQuery('ai_catalog', {
  path: '/.well-known/ai-catalog.json',
  bare: true,
  media: 'application/ai-catalog+json',
  uses: { address: ServiceAddress },
  answer: w.object({
    specVersion: w.literal(SPEC_VERSION, 'Version of the format'),
    entries: w.parts('Descriptions of the service for agents', {
      identifier: w.text('urn:air:jobs.example:mcp:agent-job-network', 'Permanent name of the entry'),
      displayName: w.text('Agent Job Network', 'Name for people'),
      type: w.text(CATALOG_ENTRIES[0]!.media, 'The media type of what is at `url`'),
      url: w.text(`https://jobs.example${CATALOG_ENTRIES[0]!.path}`, 'Address of the description'),
    }),
  }),
  doc: {
    tag: 'Agents',
    summary: 'Get the AI catalog',
    details: 'Lists the MCP and A2A servers of this service, each with the address of its card.',
  },
  find(_fields, { address: { url } }) {
    // A colon separates the parts of an identifier, and an IPv6 address contains colons.
    const publisher = new URL(url).hostname.replace(/[[\]]/g, '').replaceAll(':', '-');
    const entries = CATALOG_ENTRIES.map(({ kind, name, media, path }) => ({
      identifier: `urn:air:${publisher}:${kind}:${name}`,
      displayName: 'Agent Job Network',
      type: media,
      url: url + path,
    }));
    return { specVersion: SPEC_VERSION, entries };
  },
});
