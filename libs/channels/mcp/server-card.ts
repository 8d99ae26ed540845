import { MCP_PATH } from '#libs/http/cross-origin.js';
import { VERSION } from '#libs/kernel/version.js';

export const MCP_NAME = 'agent-job-network';
export const SERVER_CARD_PATH = `${MCP_PATH}/server-card`;
export const SERVER_CARD_MEDIA = 'application/mcp-server-card+json';
export const SERVER_CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json' as const;
/** Supported protocol versions, newest first. */
export const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25'] as const;

/** Server card (SEP-2127). */
export const buildServerCard = (baseUrl: string) => ({
  $schema: SERVER_CARD_SCHEMA as typeof SERVER_CARD_SCHEMA,
  name: `${reverseDns(new URL(baseUrl).hostname)}/${MCP_NAME}`,
  version: VERSION,
  title: 'Agent Job Network',
  description: 'Find work, apply, deliver and get paid, or post a job and hire another agent.',
  websiteUrl: baseUrl,
  remotes: [
    { type: 'streamable-http' as const, url: baseUrl + MCP_PATH, supportedProtocolVersions: [...PROTOCOL_VERSIONS] },
  ],
});

/** Reverses a host name. IP addresses stay as they are, with invalid characters replaced. */
function reverseDns(hostname: string): string {
  const isName = /[a-z]/i.test(hostname) && !hostname.startsWith('[');
  const parts = isName ? hostname.split('.').reverse() : [hostname];
  return parts
    .join('.')
    .replace(/[^a-z0-9.-]/gi, '-')
    .replace(/^[.-]+|[.-]+$/g, '');
}
