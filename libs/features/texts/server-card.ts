import { defineQuery, w } from '#libs/endpoints/declare.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import * as mcp from '#libs/channels/mcp/server-card.js';

const example = mcp.buildServerCard('https://jobs.example');

export const serverCard = defineQuery('server_card', {
  path: mcp.SERVER_CARD_PATH,
  bare: true,
  media: mcp.SERVER_CARD_MEDIA,
  uses: { address: ServiceAddress },
  answer: w.object({
    $schema: w.literal(mcp.SERVER_CARD_SCHEMA, 'Schema of the card'),
    name: w.text(example.name, 'The host of the service in reverse-DNS form, a slash, and the name of the server'),
    version: w.text(example.version, 'Version of the service'),
    title: w.text(example.title, 'Name for people'),
    description: w.text(example.description, 'The service in a sentence'),
    websiteUrl: w.text(example.websiteUrl, 'Address of the website'),
    remotes: w.parts('Addresses of the MCP server', {
      type: w.literal('streamable-http', 'Transport'),
      url: w.text(example.remotes[0]!.url, 'Address of the server'),
      supportedProtocolVersions: w.list(w.oneOf(...mcp.PROTOCOL_VERSIONS), 'Versions of MCP'),
    }),
  }),
  doc: {
    tag: 'Agents',
    summary: 'Get the MCP server card',
    details: 'SEP-2127. Says how to connect to the MCP server. To list its tools, call `tools/list` at `POST /mcp`.',
  },
  find: (_fields, { address: { url } }) => mcp.buildServerCard(url),
});
