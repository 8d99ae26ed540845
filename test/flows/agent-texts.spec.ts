import { createHash, type KeyObject, verify } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { SecurityContactSettings } from '#libs/features/texts/security-contact.settings.js';
import { extractPublicKeyFromKid } from '@x402/extensions/offer-receipt';
import { DAY_MS } from '#libs/kernel/clock.js';
import { readSettings } from '#libs/setup/settings.js';
import { DescribedService } from '../described-service.js';
import { send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const CONTACT = 'mailto:security@example.org';
const TYPES: { readonly [path: string]: string } = {
  '/llms.txt': 'text/plain; charset=utf-8',
  '/skill.md': 'text/markdown; charset=utf-8',
  '/skill.json': 'application/json; charset=utf-8',
  '/heartbeat.md': 'text/markdown; charset=utf-8',
  '/robots.txt': 'text/plain; charset=utf-8',
  '/.well-known/agent-skills/index.json': 'application/json; charset=utf-8',
  '/.well-known/api-catalog':
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"; charset=utf-8',
  '/.well-known/ai-catalog.json': 'application/ai-catalog+json; charset=utf-8',
  '/.well-known/agent-card.json': 'application/json; charset=utf-8',
  '/mcp/server-card': 'application/mcp-server-card+json; charset=utf-8',
  '/.well-known/did.json': 'application/did+json; charset=utf-8',
  '/.well-known/security.txt': 'text/plain; charset=utf-8',
};
const world = useWorld({ settings: { SECURITY_CONTACT: CONTACT } });

const ask = (path: string, options: RequestInit = {}) => fetch(world.url + path, { redirect: 'manual', ...options });
const textOf = async (path: string) => (await ask(path)).text();
const jsonOf = async <T>(path: string) => (await ask(path)).json() as Promise<T>;
const skillVersion = async () => (await jsonOf<{ version: string }>('/skill.json')).version;

test.each(Object.entries(TYPES))('%s has the media type of its standard', async (path, type) => {
  const { status, headers } = await ask(path);
  expect([status, headers.get('content-type')]).toEqual([200, type]);
});

describe('/skill.md', () => {
  test('has the front matter of agentskills.io and fewer than 500 lines', async () => {
    const [, front, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(await textOf('/skill.md'))!;
    const named = (name: string) => new RegExp(`^ *${name}: (.*)$`, 'm').exec(front!)![1]!;
    expect(named('name')).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(named('name').length).toBeLessThanOrEqual(64);
    const description = JSON.parse(named('description')) as string;
    expect([description.length > 0, description.length <= 1024]).toEqual([true, true]);
    expect(JSON.parse(named('version'))).toBe(await skillVersion());
    expect(body!.split('\n').length).toBeLessThan(500);
  });

  test('names every command with its fields, when to ask first and where to send a token', async () => {
    const [text, api] = await Promise.all([textOf('/skill.md'), DescribedService.of(world.url)]);
    const writes = api.operations.filter(({ method, id }) => method === 'post' && id !== 'faucet');
    expect(writes.filter(({ path }) => !text.includes(`\`POST ${path}\``))).toEqual([]);
    expect(text).toMatch(/\| `POST \/api\/apply` \| [^|]+ \| `role` `note` \[`trial_answer`\]/);
    expect(text).toContain('Ask your person before you pay');
    expect(text).toContain(`Send it only to ${world.url}`);
    expect(text).toContain('posts 2 a minute per agent, applications 6 a day per agent, jobs 10 a day per agent');
    for (const part of ['play money', 'AsyncAgentClient']) expect(text).toContain(part);
    expect(text).not.toMatch(/undefined|\[object/);
  });
});

test('/heartbeat.md has the version of /skill.json and says to ask before paying', async () => {
  const text = await textOf('/heartbeat.md');
  expect(text).toContain(`Version ${await skillVersion()}.`);
  expect(text).toContain('**Ask before paying.**');
});

test('the index of skills has the digest of the bytes it links to', async () => {
  const path = '/.well-known/agent-skills/index.json';
  const { $schema, skills } = await jsonOf<{ $schema: string; skills: { [name: string]: string }[] }>(path);
  expect($schema).toBe('https://schemas.agentskills.io/discovery/0.2.0/schema.json');
  expect(skills).toHaveLength(1);
  const bytes = await (await fetch(new URL(skills[0]!['url']!, world.url + path))).arrayBuffer();
  expect(skills[0]!['digest']).toBe(`sha256:${createHash('sha256').update(Buffer.from(bytes)).digest('hex')}`);
});

describe('/llms.txt', () => {
  test('is a title, a summary, and lists of links', async () => {
    const lines = (await textOf('/llms.txt')).split('\n').filter(Boolean);
    expect([lines[0], lines[1]!.slice(0, 2)]).toEqual(['# Agent Job Network', '> ']);
    const sections = lines.filter(line => line.startsWith('#')).slice(1);
    expect(sections).toEqual(['## Start', '## Reference', '## Reads', '## Feeds', '## Writes', '## Optional']);
    const listed = lines.slice(lines.indexOf('## Start')).filter(line => !line.startsWith('## '));
    expect(listed.filter(line => !/^- \[[^\]]+\]\(http[^)]+\): \S/.test(line))).toEqual([]);
  });

  test('links to the start of each protocol: the skill, MCP and A2A', async () => {
    const start = /## Start\n(.*?)\n## /s.exec(await textOf('/llms.txt'))![1]!;
    expect(start).toContain('`AsyncAgentClient`');
    for (const path of ['/skill.md', '/mcp/server-card', '/.well-known/agent-card.json'])
      expect(start).toContain(`(${world.url}${path})`);
  });

  test('links to everything under /api, and every link returns 200', async () => {
    const [text, api] = await Promise.all([textOf('/llms.txt'), DescribedService.of(world.url)]);
    const paths = api.operations.filter(({ path, method, id }) => {
      return path.startsWith('/api/') && id !== 'faucet' && !(method === 'get' && id.endsWith('_by_get'));
    });
    const missing = paths.filter(({ path, method }) => !text.includes(`[${method.toUpperCase()} ${path}](`));
    expect(missing.map(({ path }) => path)).toEqual([]);
    for (const [, link] of text.matchAll(/\]\(([^)]+)\)/g))
      expect([link, (await fetch(link!)).status]).toEqual([link, 200]);
  });
});

describe('/.well-known/api-catalog', () => {
  interface Catalog {
    readonly linkset: { readonly anchor: string; readonly [relation: string]: unknown }[];
  }

  test('links to the API and its descriptions with their types (RFC 9264, RFC 9727)', async () => {
    const { linkset } = await jsonOf<Catalog>('/.well-known/api-catalog');
    expect(linkset[0]).toEqual({
      anchor: `${world.url}/.well-known/api-catalog`,
      item: [{ href: `${world.url}/api` }],
    });
    expect(Object.keys(linkset[1]!)).toEqual([
      'anchor',
      'service-desc',
      'service-doc',
      'service-meta',
      'item',
      'status',
    ]);
    const { anchor: _anchor, ...relations } = linkset[1]!;
    for (const { href, type } of Object.values(relations).flat() as { href: string; type: string }[]) {
      const { status, headers } = await fetch(href);
      expect([href, status, headers.get('content-type')!.split(';')[0]]).toEqual([href, 200, type]);
    }
  });

  test.each(['/.well-known/api-catalog', '/', '/api'])('is linked in the headers of HEAD %s', async path => {
    const { headers } = await ask(path, { method: 'HEAD' });
    expect(headers.get('link')).toContain('</.well-known/api-catalog>; rel="api-catalog"');
  });
});

test('/.well-known/did.json has the key of every record, found by the resolver of x402', async () => {
  const { id, assertionMethod } = await jsonOf<{ id: string; assertionMethod: string[] }>('/.well-known/did.json');
  expect(id).toBe(`did:web:${new URL(world.url).host.replace(':', '%3A')}`);
  const worker = await world.agent('Vera');
  await world.settle();
  const { credential } = (await send(world.url, `/api/verify/${worker.museId}`)).body;
  const { payload, signature, kid } = credential as { [name: string]: string };
  expect(assertionMethod).toEqual([`${id}#${kid}`]);
  const key = await extractPublicKeyFromKid(`${id}#${kid}`);
  const bytes = [payload!, signature!].map((text, at) => Buffer.from(text, at === 0 ? 'utf8' : 'base64url'));
  expect(verify(null, bytes[0]!, key as KeyObject, bytes[1]!)).toBe(true);
});

describe('/.well-known/security.txt', () => {
  test('names the contact and expires within a year (RFC 9116)', async () => {
    const lines = (await textOf('/.well-known/security.txt')).trim().split('\n');
    const fields = Object.fromEntries(lines.map(line => [line.split(': ')[0], line.slice(line.indexOf(': ') + 2)]));
    expect(fields).toMatchObject({
      Contact: CONTACT,
      'Preferred-Languages': 'en',
      Canonical: `${world.url}/.well-known/security.txt`,
    });
    const expires = Date.parse(fields['Expires']) - world.now();
    expect([expires > 100 * DAY_MS, expires < 365 * DAY_MS]).toEqual([true, true]);
  });

  test('names the mailbox of RFC 2142 if no contact is configured', () => {
    expect(new SecurityContactSettings(readSettings({}).securityContact, 'jobs.example').contact).toBe(
      'mailto:security@jobs.example',
    );
  });
});

test('/robots.txt allows every crawler to read every page (RFC 9309)', async () => {
  const rules = (await textOf('/robots.txt')).split('\n').filter(line => line !== '' && !line.startsWith('#'));
  expect(rules).toEqual(['User-agent: *', 'Allow: /', `Sitemap: ${world.url}/sitemap.xml`]);
});
