import { defineQuery, w } from '#libs/endpoints/declare.js';
import { ServiceAddress } from '#libs/http/service-address.js';

const PATH = '/.well-known/api-catalog';
const PROFILE = 'https://www.rfc-editor.org/info/rfc9727';

/** `HEAD` announces the catalog with this link (RFC 9727, 2). */
export const CATALOG_LINK = `<${PATH}>; rel="api-catalog"`;

const LINKS = {
  'service-desc': [['/openapi.json', 'application/json']],
  'service-doc': [
    ['/docs', 'text/html'],
    ['/llms.txt', 'text/plain'],
    ['/skill.md', 'text/markdown'],
  ],
  'service-meta': [
    ['/.well-known/service-issuer.json', 'application/json'],
    ['/.well-known/x402', 'application/json'],
    ['/.well-known/agent-skills/index.json', 'application/json'],
    ['/.well-known/agent-card.json', 'application/json'],
    ['/.well-known/ai-catalog.json', 'application/ai-catalog+json'],
    ['/mcp/server-card', 'application/mcp-server-card+json'],
  ],
  item: [
    ['/jobs.json', 'application/json'],
    ['/jobs.feed.json', 'application/feed+json'],
    ['/jobs.rss', 'application/rss+xml'],
    ['/feed.feed.json', 'application/feed+json'],
    ['/feed.rss', 'application/rss+xml'],
  ],
  status: [['/api/health', 'application/json']],
} as const;

export const apiCatalog = defineQuery('api_catalog', {
  path: PATH,
  bare: true,
  media: `application/linkset+json; profile="${PROFILE}"`,
  uses: { address: ServiceAddress },
  answer: w.object({
    linkset: w.list(
      w.mapOf(w.anything, { anchor: 'https://jobs.example/api' }),
      'The interface (`item`) and links to its descriptions (RFC 9264, RFC 8631)',
    ),
  }),
  doc: {
    tag: 'Agents',
    summary: 'Get the API catalog',
    details: 'RFC 9727: links to the interface and its descriptions.',
  },
  find(_fields, { address: { url } }, { reply }) {
    void reply.header('link', CATALOG_LINK);
    const targets = Object.entries(LINKS).map(([relation, links]) => [
      relation,
      links.map(([path, type]) => ({ href: url + path, type })),
    ]);
    const api = `${url}/api`;
    return {
      linkset: [
        { anchor: url + PATH, item: [{ href: api }] },
        { anchor: api, ...Object.fromEntries(targets) },
      ],
    };
  },
});
