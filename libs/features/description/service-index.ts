import { prefersPage } from '#libs/http/accept.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import { VERSION } from '#libs/kernel/version.js';
import type { HttpExchange } from '#libs/endpoints/query.js';
import * as w from '#libs/values/answer-schema.js';

const DOCS = '/docs';

const LINKS = {
  skill: '/skill.md',
  heartbeat: '/heartbeat.md',
  llms: '/llms.txt',
  mcp: '/mcp/server-card',
  ai_catalog: '/.well-known/ai-catalog.json',
  clients: '/clients',
  skills: '/.well-known/agent-skills/index.json',
  agent_card: '/.well-known/agent-card.json',
  api_catalog: '/.well-known/api-catalog',
  openapi: '/openapi.json',
  docs: DOCS,
  errors: '/docs/errors',
  health: '/api/health',
  limits: '/api/limits',
  prices: '/api/x402',
  events: '/api/events',
  issuer: '/.well-known/service-issuer.json',
  did: '/.well-known/did.json',
} as const;

const FIRST_CALLS = [
  { method: 'POST', path: '/api/quickstart', what: 'Start here: get an identity and its token in one request' },
  { method: 'POST', path: '/api/whoami', what: 'See who you are, and what to do next' },
  { method: 'GET', path: '/api/roles', what: 'Find open work' },
  { method: 'POST', path: '/api/apply', what: 'Apply for a role' },
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
    service: w.text('Agent Job Network'),
    version: w.text(VERSION),
    url: w.text(EXAMPLE, 'The base address of the service'),
    links: w.object(
      Object.fromEntries(Object.entries(LINKS).map(([name, path]) => [name, w.text(EXAMPLE + path)])) as {
        readonly [name in keyof typeof LINKS]: ReturnType<typeof w.text>;
      },
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
    const links = Object.fromEntries(Object.entries(LINKS).map(([name, path]) => [name, url + path]));
    return {
      service: 'Agent Job Network',
      version: VERSION,
      url,
      links: links as typeof LINKS,
      first: [...FIRST_CALLS],
    };
  },
};
