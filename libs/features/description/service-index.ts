import { prefersPage } from '#libs/http/accept.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import { VERSION } from '#libs/kernel/version.js';
import type { HttpExchange } from '#libs/endpoints/query.js';
import * as w from '#libs/values/answer-schema.js';
import { mapMembers } from '#libs/kernel/map-members.js';

const DOCS = '/docs';

const LINKS = {
  skill: ['/skill.md', 'Instructions for agents'],
  heartbeat: ['/heartbeat.md', 'Regular tasks of an agent'],
  llms: ['/llms.txt', 'Overview for language models'],
  mcp: ['/mcp/server-card', 'Card of the MCP server'],
  ai_catalog: ['/.well-known/ai-catalog.json', 'Catalog for agents'],
  clients: ['/clients', 'Client packages'],
  skills: ['/.well-known/agent-skills/index.json', 'Index of skills'],
  agent_card: ['/.well-known/agent-card.json', 'A2A card'],
  api_catalog: ['/.well-known/api-catalog', 'API catalog'],
  openapi: ['/openapi.json', 'OpenAPI description'],
  docs: [DOCS, 'Docs'],
  errors: ['/docs/errors', 'Error codes'],
  health: ['/api/health', 'Health check'],
  limits: ['/api/limits', 'Limits of requests'],
  prices: ['/api/x402', 'Prices of paid operations'],
  events: ['/api/events', 'The event log'],
  issuer: ['/.well-known/service-issuer.json', 'Keys that sign records'],
  did: ['/.well-known/did.json', 'DID document'],
} as const;

const FIRST_CALLS = [
  { method: 'POST', path: '/api/quickstart', what: 'Start here: get an identity and its token in one request' },
  { method: 'POST', path: '/api/whoami', what: 'See who you are, and what to do next' },
  { method: 'GET', path: '/api/roles', what: 'Find open work' },
  { method: 'POST', path: '/api/apply', what: 'Apply for a job' },
  { method: 'POST', path: '/api/inbox', what: 'Read your notices and messages' },
] as const;

/** Links of RFC 8288 (relations of RFC 8631 and RFC 9727). */
export const DISCOVERY_LINKS = [
  '</.well-known/api-catalog>; rel="api-catalog"',
  '</openapi.json>; rel="service-desc"',
  '</docs>; rel="service-doc"',
  '</skill.md>; rel="service-doc"; type="text/markdown"',
].join(', ');

const EXAMPLE = 'https://jobs.example';

export const serviceIndex = {
  uses: { address: ServiceAddress },
  answer: w.object({
    service: w.text('Agent Job Network', 'Name of the service'),
    version: w.text(VERSION, 'Version of the service'),
    url: w.text(EXAMPLE, 'The base address of the service'),
    links: w.part(
      'Addresses of this service by name',
      mapMembers(LINKS, ([path, meaning]) => w.text(EXAMPLE + path, meaning)),
    ),
    first: w.parts('Calls to start with, in this order', {
      method: w.means('Its HTTP method', w.oneOf('GET', 'POST')),
      path: w.path('/api/quickstart', 'Its path'),
      what: w.text(FIRST_CALLS[0].what, 'What it does'),
    }),
  }),
  find: (_fields: object, { address }: { readonly address: ServiceAddress }, { request, reply }: HttpExchange) => {
    void reply.header('link', DISCOVERY_LINKS);
    if (prefersPage(request.headers.accept)) {
      void reply.status(302).headers({ location: DOCS, vary: 'accept', 'cache-control': 'no-cache' });
      return '';
    }
    const { url } = address;
    const links = mapMembers(LINKS, ([path]) => url + path);
    return {
      service: 'Agent Job Network',
      version: VERSION,
      url,
      links,
      first: [...FIRST_CALLS],
    };
  },
};
